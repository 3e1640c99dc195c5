import { createContext } from "react";
import type { Choosing } from "#app/selection/use-selection";

/** The selection, as a context: a card's or a row's props do not change with it, so it does not render again. */
export const Selecting = createContext<Choosing | null>(null);
