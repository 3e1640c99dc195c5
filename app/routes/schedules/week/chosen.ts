import type { Piece } from "#app/week/rows";

/** The block whose panel is open, and what opened it, to which the focus returns. */
export type Chosen = { piece: Piece; opener: HTMLElement };
