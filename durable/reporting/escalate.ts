import { and, eq } from "drizzle-orm";
import { alarms } from "#db/schema";
import { causeOf } from "#domain/errors";
import { nextToTell } from "#domain/messages/escalation";
import { listed } from "#domain/messages/message-settings";
import { orgId } from "#durable/state/meta";
import { transact, type EngineContext } from "#durable/state/context";
import { D1_DEADLINE_MS, withDeadline } from "#durable/state/deadline";
import { settingsOf } from "#durable/state/plan";
import { putTimer } from "#durable/state/timers";
import { alarmId } from "./alarms";
import { escalation, notePassedOn, passedOnTo, saveEscalation, stopEscalation, type Escalation } from "./escalations";
import { deptOfIncident, incident } from "./incidents";
import { notifyPerson } from "./notify";
import { everyWayTo } from "./recipients";

/** Longer than one question to D1 takes: whoever is asking by then has died. */
const ASKING_MS = 60_000;

/** Sees to it that an escalation outlives whoever is looking after it. Must run inside a transaction. */
export function watchEscalation(context: EngineContext, name: string): void {
  putTimer(context.sql, "escalation", name, context.now() + ASKING_MS);
}

/**
 * Tells the next person of an alarm that is open and that nobody has acknowledged. Where D1 does not say, nobody has: to
 * be told in vain harms nobody. Who was told is stored with the message, so that a crash tells nobody twice.
 */
export async function escalate(context: EngineContext, name: string): Promise<void> {
  const asked = incident(context, name);
  const isAcknowledged = asked !== null && (await isSeenTo(context, alarmId(context, name, asked.since)));
  transact(context, () => {
    const open = incident(context, name);
    const known = escalation(context, name);
    if (!open || !known || open.since !== asked?.since) return stopUnlessNew(context, name, asked?.since);
    const { ESCALATE_TO, ESCALATE_AFTER_MIN, NOTIFY_ON_FAIL } = settingsOf(context.sql);
    const after_min = NOTIFY_ON_FAIL ? ESCALATE_AFTER_MIN : 0;
    const people = listed(ESCALATE_TO);
    const dept_id = deptOfIncident(context, open);
    // Whoever was told by telephone has heard, also where their e-mail address comes next.
    const heard = whoWasTold(context, known, people).flatMap((one) => everyWayTo(context, one, dept_id));
    const next = nextToTell({ people, told: heard, isAcknowledged, after_min });
    if (!next) return stopEscalation(context, name);
    const told = known.told + 1;
    // From when they were told on: it may have begun long before, or in the future where the clock was ahead then.
    const minutes = Math.round((context.now() - (open.notified_at ?? open.since)) / 60_000);
    const message = `Nobody has acknowledged this for ${minutes} min. ${known.message}`;
    const to = everyWayTo(context, next.to, dept_id);
    notifyPerson(context, `${name}:${open.since}`, `escalation_${told}`, message, to);
    notePassedOn(context, name, next.to);
    if (next.isLast) return stopEscalation(context, name);
    saveEscalation(context, { ...known, told });
    putTimer(context.sql, "escalation", name, context.now() + after_min * 60_000);
  });
}

/** The first of the list, too, where a release has told them that only counted. */
function whoWasTold(context: EngineContext, { incident: name, told }: Escalation, people: string[]): string[] {
  const noted = passedOnTo(context, name);
  return noted.length < told ? [...people.slice(0, told), ...noted] : noted;
}

/** While D1 was asked the alarm may have ended, and another of the same name begun, which has a timer of its own. */
function stopUnlessNew(context: EngineContext, name: string, since: number | undefined): void {
  const open = incident(context, name);
  if (!open || open.since === since) stopEscalation(context, name);
}

async function isSeenTo(context: EngineContext, id: string): Promise<boolean> {
  try {
    const [row] = await withDeadline(
      context,
      D1_DEADLINE_MS,
      context.db
        .select({ at: alarms.acknowledged_at })
        .from(alarms)
        .where(and(eq(alarms.org_id, orgId(context)), eq(alarms.id, id))),
    );
    return row !== undefined && row.at !== null;
  } catch (error) {
    context.log({ level: "warn", event: "escalation.unanswered", reason: causeOf(error).error });
    return false;
  }
}
