import type { LiveList } from "#domain/lists/live";
import type { LiveMessage } from "#domain/lists/live-schema";

/**
 * Where a list is shown that is not shown everywhere: the first part of the path, and of a record's page with `/*`. The
 * activity log, in history, has an entry for each change that a person makes.
 */
const SHOWN: Partial<Record<LiveList, string[]>> = {
  agents: ["settings/*", "hubs", "history"],
  events: ["events"],
  nights: ["dashboard", "tonight", "alarms", "areas", "areas/*", "devices", "devices/*", "schedules"],
  history: ["history", "areas/*", "devices/*"],
  connectivity: ["connectivity"],
  notifications: ["guardrails", "settings/*", "history"],
  imports: ["import", "import/*", "history"],
  users: ["departments", "workorders", "settings/*", "history"],
  workorders: ["workorders", "areas/*", "devices/*", "dashboard", "tonight", "alarms", "history"],
};

/** Screens that count lights by their states, and so change with any light. */
const COUNT_STATES = ["dashboard", "tonight", "alarms", "areas"];

/** That lists have changed; that numbers of lights have; or only lights, which show their new state already. */
export type Concern = "lists" | "counts" | "states";

/** What a message means for a screen; null: nothing. */
export function concernOf(message: LiveMessage, pathname: string, isOnScreen: (id: string) => boolean): Concern | null {
  if (message.kind === "hello") return null;
  if (message.kind === "reload") return "lists";
  const screen = screenOf(pathname);
  const lists = message.lists.filter((list) => SHOWN[list]?.includes(screen) ?? true);
  if (lists.some((list) => !OF_STATES.includes(list))) return "lists";
  if (message.devices.length > 0 && COUNT_STATES.includes(screen)) return "counts";
  if (lists.length > 0) return "states";
  return message.devices.some(({ id }) => isOnScreen(id)) ? "states" : null;
}

/** Whether it may change what stands around every screen: the person's role and departments, the zone and the mode. */
export function concernsLayout(message: LiveMessage): boolean {
  return (
    message.kind === "reload" || (message.kind === "changes" && message.lists.some((list) => AROUND.includes(list)))
  );
}

const AROUND: LiveList[] = ["departments", "settings", "users"];

/** What follows from lights that go on and off by themselves, which a city's evening is full of. */
const OF_STATES: LiveList[] = ["nights", "history", "events"];

function screenOf(pathname: string): string {
  const [screen = "", record] = pathname.split("/").filter(Boolean);
  return record === undefined ? screen : `${screen}/*`;
}
