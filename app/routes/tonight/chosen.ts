import type { NightBar, NightLight } from "#domain/tonight/tonight";

/** The bar whose panel is open, and what opened it, to which the focus returns. */
export type Chosen = { light: NightLight; bar: NightBar; area: { id: string; name: string }; opener: HTMLElement };
