import { addressesOfEnd, allAddressesOf, tellingOf, type ToldAlarm } from "#domain/messages/recipients";
import type { EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";
import { reachable } from "./messengers";

/** What people hear of an alarm: `name` and `since` (epoch ms) are its incident's, `text` is the sentence. */
export type Heard = ToldAlarm & { name: string; since: number; text: string };

/** To which addresses the people who chose to hear of it are told now, and who hears later, at an instant (epoch ms). */
export function peopleToTell(
  context: EngineContext,
  alarm: ToldAlarm,
): { now: string[]; later: { user_id: string; until: number }[] } {
  const { RECIPIENTS, APP_TIMEZONE } = settingsOf(context.sql);
  const told = RECIPIENTS.map((person) => ({
    user_id: person.user_id,
    telling: tellingOf(person, alarm, context.now(), APP_TIMEZONE),
  }));
  return {
    now: reachable(
      context,
      told.flatMap(({ telling }) => (telling.when === "now" ? telling.to : [])),
    ),
    later: told.flatMap(({ user_id, telling }) => (telling.when === "held" ? [{ user_id, until: telling.until }] : [])),
  };
}

/** To which addresses the people who heard of an alarm, told at `told_at` (epoch ms), hear that it is over. */
export function peopleWhoHeard(context: EngineContext, alarm: ToldAlarm, told_at: number): string[] {
  const { RECIPIENTS, APP_TIMEZONE } = settingsOf(context.sql);
  const when = { told_at, now: context.now() };
  return reachable(
    context,
    RECIPIENTS.flatMap((person) => addressesOfEnd(person, alarm, when, APP_TIMEZONE)),
  );
}

/** Where somebody in the list of the escalation is told: there, and by the channels that they chose themselves. */
export function everyWayTo(context: EngineContext, address: string, dept_id: string | null): string[] {
  const [listed = address, ...own] = allAddressesOf(address, settingsOf(context.sql).RECIPIENTS, dept_id);
  return [listed, ...reachable(context, own)];
}
