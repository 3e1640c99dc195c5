import type { SwitchAction } from "./enums";

/** What a person asked of a light until an end (ISO), and why; `by` is their e-mail address. */
export type Hold = {
  action: SwitchAction;
  until: string;
  reason: string | null;
  by: string;
  emergency: boolean;
};
