import type { AlarmKind } from "#domain/enums";

/** Alarms about which somebody has to do something tonight: lights are, or may soon be, other than they should be. */
const URGENT: Record<AlarmKind, boolean> = {
  device_failed: true,
  light_on: false,
  hub_offline: true,
  hub_refused: true,
  agent_offline: true,
  plan_refused: false, // the line is there, and lights are switched by it
  cloud_offline: true,
  cloud_refused: true,
  account_throttled: false,
  records_refused: true,
  scheduler_late: true,
  webhook_failing: false,
};

/** Whether an alarm is passed on while nobody acknowledges it. */
export function isUrgent(kind: AlarmKind): boolean {
  return URGENT[kind];
}

type Standing = {
  /** The addresses in their order. */
  people: string[];
  /** Those who were told, whatever has become of the list since. */
  told: string[];
  isAcknowledged: boolean;
  /** Minutes between one and the next; 0 where nothing is passed on. */
  after_min: number;
};

/** Who is told next of an alarm that is still open, and whether there is somebody after them; null where it ends. */
export function nextToTell({
  people,
  told,
  isAcknowledged,
  after_min,
}: Standing): { to: string; isLast: boolean } | null {
  const [to, ...others] = people.filter((one) => !told.includes(one));
  if (isAcknowledged || after_min === 0 || to === undefined) return null;
  return { to, isLast: others.length === 0 };
}
