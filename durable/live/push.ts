import { LIVE_CLOSE, type LiveList } from "#domain/lists/live";
import type { LiveDevice, LiveMessage } from "#domain/lists/live-schema";
import type { EngineContext, LiveSocket } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import { hears, subscriberOf, type Subscriber } from "./subscriber";

/** A browser gets at most one message in this time. */
const PUSH_EVERY_MS = 1_000;
/** What comes together is told together. */
const GATHERED_MS = 20;
/** With more lights than this in a message, browsers are told to load those that they show. */
const MOST_DEVICES = 1_000;
/** What a browser costs when it loads its screen again, and the longest that it is asked to wait for that. */
const SPREAD_EACH_MS = 5;
const LONGEST_SPREAD_MS = 5_000;

/** Tells the browsers soon what has changed, after the engine's own work. Whoever asks before then shares it. */
export function pushSoon(context: EngineContext): void {
  if (context.push.isAsked) return;
  context.push.isAsked = true;
  const wait = Math.max(GATHERED_MS, context.push.at + PUSH_EVERY_MS - context.now());
  context.after(Math.min(wait, PUSH_EVERY_MS), () => pushSafely(context));
}

/** A browser begins to listen; `heard` is the version that it has. */
export function join(context: EngineContext, socket: LiveSocket, heard: number): void {
  const { backlog, push } = context;
  // Nothing is on its way, so the others have heard everything.
  if (!push.isAsked) push.since = backlog.version;
  if (heard === push.since) return;
  push.newcomers.set(socket, heard);
  pushSoon(context);
}

/** No light may suffer from it. */
function pushSafely(context: EngineContext): void {
  try {
    push(context);
  } catch (error) {
    context.log({ level: "error", event: "live.push_failed", reason: String(error) });
  }
}

/** Tells each browser what has changed since it was last told; those that see the same get the same text. */
function push(context: EngineContext): void {
  const { backlog } = context;
  context.push.isAsked = false;
  context.push.at = context.now();
  const sockets = context.sockets();
  const spread_ms = Math.min(sockets.length * SPREAD_EACH_MS, LONGEST_SPREAD_MS);
  const texts = new Map<string, string | null>();
  const news = new Map<number, News>();
  for (const socket of sockets) {
    const heard = context.push.newcomers.get(socket) ?? context.push.since;
    if (heard === backlog.version) continue;
    const subscriber = subscriberOf(socket);
    if (!subscriber) {
      close(socket, "changed", "Open it again");
      continue;
    }
    const key = `${heard} ${subscriber.depts?.toSorted().join(" ") ?? "*"}`;
    if (!texts.has(key)) {
      if (!news.has(heard)) news.set(heard, newsSince(context, heard));
      texts.set(key, textFor(subscriber, news.get(heard) ?? null, backlog.version, spread_ms));
    }
    const text = texts.get(key);
    if (text) send(socket, text);
  }
  context.push.since = backlog.version;
  context.push.newcomers.clear();
}

type News = {
  devices: { device: LiveDevice; dept_id: string | null }[];
  lists: { list: LiveList; dept_id: string | null }[];
} | null;

/** With the department of each light as the plan has it now; a light that is gone is nobody's. */
function newsSince({ backlog, sql }: EngineContext, version: number): News {
  const since = backlog.since(version);
  if (since === null) return null;
  const devices = since.devices.flatMap((device) => {
    const planned = plan.device(sql, device.id);
    return planned ? [{ device, dept_id: planned.dept_id }] : [];
  });
  return { devices, lists: since.lists };
}

function textFor(subscriber: Subscriber, news: News, version: number, spread_ms: number): string | null {
  if (news === null) return textOf({ kind: "reload", version, spread_ms });
  const isHeard = ({ dept_id }: { dept_id: string | null }) => hears(subscriber, dept_id);
  const devices = news.devices.filter(isHeard).map(({ device }) => device);
  const lists = new Set(news.lists.filter(isHeard).map(({ list }) => list));
  const isMany = devices.length > MOST_DEVICES;
  if (isMany) lists.add("devices");
  if (devices.length + lists.size === 0) return null;
  return textOf({ kind: "changes", version, devices: isMany ? [] : devices, lists: [...lists], spread_ms });
}

/** A message as it is sent. */
export function textOf(message: LiveMessage): string {
  return JSON.stringify(message);
}

/** Never throws: a socket may be closing. */
function send(socket: LiveSocket, text: string): void {
  try {
    socket.send(text);
  } catch {
    close(socket, "changed", "Open it again");
  }
}

/** Never throws: it may be closed already. */
export function close(socket: LiveSocket, why: keyof typeof LIVE_CLOSE, reason: string): void {
  try {
    socket.close(LIVE_CLOSE[why], reason);
  } catch {
    // It is gone, which is all that was asked.
  }
}
