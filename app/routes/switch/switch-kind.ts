import type { SwitchKind } from "./switch-dialog";

const KINDS: Record<string, SwitchKind> = { "turn-on": "on", "turn-off": "off", emergency: "emergency" };

/** What a dialog of the address is for; null for any other dialog. */
export function switchKindOf(dialog: string | null): SwitchKind | null {
  return KINDS[dialog ?? ""] ?? null;
}
