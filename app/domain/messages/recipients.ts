import type { AlarmKind, MessageChannel, OrgMembershipRole, Timezone } from "#domain/enums";
import { isUrgent } from "./escalation";
import { guardrailAt } from "#domain/guardrails/guardrail";
import { can, maySeeDept, roleOf } from "#domain/organization/permissions";

/** Somebody who has chosen to hear of alarms: an active member of the organization. Quiet hours are HH:MM, null for none. */
export type Recipient = {
  user_id: string;
  role: OrgMembershipRole;
  dept_ids: string[];
  phone: string | null;
  email: string;
  urgent_by: MessageChannel[];
  other_by: MessageChannel[];
  left_out: AlarmKind[];
  quiet_from: string | null;
  quiet_to: string | null;
  /** Whether they hear after their quiet hours what these held back. */
  digest: boolean;
};

/** What the rule has to know of an alarm: its department is the light's; null where everybody sees it. */
export type ToldAlarm = { kind: AlarmKind; dept_id: string | null };

/** To which addresses a message goes now, until when (epoch ms) it is kept, or that the person does not hear of it. */
export type Telling = { when: "now"; to: string[] } | { when: "held"; until: number } | { when: "never" };

const NEVER: Telling = { when: "never" };

/**
 * Whether and how a person hears of an alarm at an instant (epoch ms) by the clocks of `zone`: of what they may see and
 * have not left out, by the channels that they chose for its urgency. Quiet hours hold back what is not urgent.
 */
export function tellingOf(person: Recipient, alarm: ToldAlarm, now: number, zone: Timezone): Telling {
  if (!maySee(person, alarm.dept_id) || person.left_out.includes(alarm.kind)) return NEVER;
  const to = addressesOf(person, isUrgent(alarm.kind) ? person.urgent_by : person.other_by);
  if (to.length === 0) return NEVER;
  const until = isUrgent(alarm.kind) ? null : quietUntil(person, now, zone);
  if (until === null) return { when: "now", to };
  return person.digest ? { when: "held", until } : NEVER;
}

/**
 * To which addresses a person hears now that an alarm is over of which people were told at `told_at`; instants are epoch
 * ms. Whoever heard of it does, quiet hours or not: at once then, or since in a digest. Of what is held still the digest
 * itself says that it is over.
 */
export function addressesOfEnd(
  person: Recipient,
  alarm: ToldAlarm,
  { told_at, now }: { told_at: number; now: number },
  zone: Timezone,
): string[] {
  const telling = tellingOf(person, alarm, told_at, zone);
  if (telling.when === "now") return telling.to;
  return telling.when === "held" && telling.until <= now ? addressesOf(person, person.other_by) : [];
}

/** Whether the person's departments let them see what belongs to one of them. */
export function maySee({ user_id, role, dept_ids }: Recipient, dept_id: string | null): boolean {
  const dept_memberships = dept_ids.map((id) => ({ dept_id: id, role: "" }));
  const actor = { id: user_id, role: roleOf(role), dept_memberships };
  return can(actor, "alarm.see") && maySeeDept(actor, dept_id);
}

/**
 * The person's addresses on these channels; a channel without an address reaches nobody. In lower case, as lists of addresses
 * are read: a choice of an earlier release is stored as it was typed.
 */
export function addressesOf({ phone, email }: Recipient, channels: MessageChannel[]): string[] {
  const address: Record<MessageChannel, string | null> = { sms: phone, email: email.toLowerCase() };
  return channels.flatMap((channel) => address[channel] ?? []);
}

type QuietHours = Pick<Recipient, "quiet_from" | "quiet_to">;

/**
 * The end (epoch ms) of the quiet hours that an instant is in, or null. An end that is not after the beginning is the next
 * day's; equal ones are none. Where clocks are put back, the hour that comes twice is quiet twice.
 */
export function quietUntil({ quiet_from, quiet_to }: QuietHours, now: number, zone: Timezone): number | null {
  if (quiet_from === null || quiet_to === null) return null;
  // A blackout is as daily, and by the same clocks.
  const BLACKOUT_WINDOW = `${quiet_from}-${quiet_to}`;
  const quiet = guardrailAt({ HARD_CURFEW_OFF: "", BLACKOUT_WINDOW, MAX_ON_DURATION_MIN: 0, zone }, now);
  return quiet?.until ?? null;
}

/**
 * Where else a person is told who is in a list of addresses: by one of theirs they are known, and reached by all channels
 * that they chose for urgent alarms, if they may see it. The address itself always stays.
 */
export function allAddressesOf(address: string, people: Recipient[], dept_id: string | null): string[] {
  const own = people
    .filter((person) => addressesOf(person, ["sms", "email"]).includes(address) && maySee(person, dept_id))
    .flatMap((person) => addressesOf(person, person.urgent_by));
  return [...new Set([address, ...own])];
}
