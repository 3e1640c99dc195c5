import type { Pressed } from "./switch-dialog";

const PRESSED: Record<string, Pressed> = { "turn-on": "on", "turn-off": "off", emergency: "emergency" };

/** The press that a dialog of the address is for; null for any other dialog. */
export function pressedIn(dialog: string | null): Pressed | null {
  return PRESSED[dialog ?? ""] ?? null;
}
