import { formatInstant, formatMoment } from "#domain/time/display";
import type { AlarmKind, WorkorderPriority } from "#domain/enums";
import { MAX_TITLE } from "#domain/fields/limits";

/** What an alarm's sentence is made of, and `since` when it is so: ISO 8601, as `over_at`. */
export type AlarmFacts = { what: string; why: string; since: string; over_at: string | null };

/** 'Dark since 5:00 PM: still off after 3 tries', or 'Dark from 5:00 PM until 9:40 PM: ...'. `now` is in epoch ms. */
export function alarmSentence(alarm: AlarmFacts, zone: string, now: number): string {
  return sentence(alarm, (at) => formatMoment(Date.parse(at), zone, now));
}

/** 'The alarm is over since 9:40 PM', on the work order that was made from it. */
export function overSentence(over_at: string, zone: string, now: number): string {
  return `The alarm is over since ${formatMoment(Date.parse(over_at), zone, now)}`;
}

function sentence({ what, why, since, over_at }: AlarmFacts, moment: (at: string) => string): string {
  const when = over_at === null ? `since ${moment(since)}` : `from ${moment(since)} until ${moment(over_at)}`;
  return `${what} ${when}: ${why}`;
}

type Named = { kind: AlarmKind; device_name: string | null; hub_name: string | null };

/** What is in trouble: the light, the hub, or what the whole city depends on. */
export function alarmName({ kind, device_name, hub_name }: Named): string {
  return device_name ?? hub_name ?? NAMES[kind];
}

const NAMES: Record<AlarmKind, string> = {
  device_failed: "A light",
  light_on: "A light",
  hub_offline: "A hub",
  hub_refused: "A hub",
  agent_offline: "On-site agent",
  plan_refused: "On-site agent",
  cloud_offline: "YoLink cloud",
  cloud_refused: "YoLink cloud",
  account_throttled: "YoLink cloud",
  records_refused: "Database",
  scheduler_late: "Scheduler",
  webhook_failing: "A webhook",
};

/** What is to be done, of a light's or hub's name, and how soon. */
const TASKS: Record<AlarmKind, { task: (name: string) => string; priority: WorkorderPriority }> = {
  device_failed: { task: (name) => `Repair ${name}`, priority: "high" },
  light_on: { task: (name) => `Find out who lit ${name}`, priority: "medium" },
  hub_offline: { task: (name) => `Bring ${name} back online`, priority: "high" },
  hub_refused: { task: (name) => `Restore access to ${name}`, priority: "high" },
  agent_offline: { task: () => "Bring the on-site agent back", priority: "high" },
  plan_refused: { task: () => "Find out why the on-site agent refuses its plan", priority: "medium" },
  cloud_offline: { task: () => "Find out why the YoLink cloud does not answer", priority: "high" },
  cloud_refused: { task: () => "Check the YoLink account", priority: "high" },
  account_throttled: { task: () => "Save calls to the YoLink cloud", priority: "medium" },
  records_refused: { task: () => "Find out why the database refuses records", priority: "urgent" },
  scheduler_late: { task: () => "Find out why the scheduler is late", priority: "urgent" },
  webhook_failing: { task: () => "Find out why a webhook takes no messages", priority: "medium" },
};

type Placed = Named & AlarmFacts & { area_name: string | null };

/** The words of the work order that an alarm asks for. Its times name the day, for whoever reads it next week. */
export function workorderWords(alarm: Placed, zone: string) {
  const { task, priority } = TASKS[alarm.kind];
  // A hub's own alarm has its name already.
  const hub = alarm.device_name && alarm.hub_name && `hub ${alarm.hub_name}`;
  const place = [alarm.area_name, hub].filter(Boolean).join(", ");
  const facts = `${alarmName(alarm)}: ${sentence(alarm, (at) => formatInstant(at, zone))}.`;
  return {
    title: task(alarmName(alarm)).slice(0, MAX_TITLE),
    description: place === "" ? facts : `${facts}\n${place}.`,
    priority,
  };
}

/** What each kind of alarm is about, for whoever chooses which to hear of. */
export const KIND_WORDS: Record<AlarmKind, string> = {
  device_failed: "A light does not obey",
  light_on: "A light is on without a reason",
  hub_offline: "A hub is offline",
  hub_refused: "A hub refuses access",
  agent_offline: "An on-site agent is away",
  plan_refused: "An on-site agent refuses its plan",
  cloud_offline: "The cloud does not answer",
  cloud_refused: "The cloud refuses the account",
  account_throttled: "The cloud's limit of calls is reached",
  records_refused: "The database refuses records",
  scheduler_late: "The scheduler is late",
  webhook_failing: "A webhook takes no messages",
};
