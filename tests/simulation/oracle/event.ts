import type { SwitchAction } from "#domain/enums";

/** A scheduler event, as it is posted. */
export type Event = {
  id: string;
  ts: string;
  device_id: string | null;
  dept_id: string | null;
  source: string;
  action: SwitchAction;
  result: "ok" | "retry" | "fail";
  attempts: number;
  note: string | null;
};
