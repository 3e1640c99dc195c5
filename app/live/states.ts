import { useCallback, useMemo, useRef, useSyncExternalStore } from "react";
import type { LiveDevice } from "#domain/lists/live-schema";
import type { Device } from "#domain/records/records";

/** What the server has told of lights since the page was loaded. Never written on the server, which renders for many. */
const told = new Map<string, LiveDevice>();
const listeners = new Map<string, Set<() => void>>();

/** The lights of which something may have been missed since they were told of. */
let missed = new Set<string>();

/** Nobody remembers what the server would have told since then: what it said of a light's problem may be long over. */
export function missStates(): void {
  missed = new Set(told.keys());
}

/** Keeps what the server tells of lights, and shows it where they are on screen. */
export function putStates(devices: LiveDevice[]): void {
  for (const device of devices) {
    const { problem, problem_since, ...before } = told.get(device.id) ?? {};
    const kept = missed.delete(device.id) || problem === undefined ? before : { ...before, problem, problem_since };
    told.set(device.id, { ...kept, ...device });
  }
  for (const { id } of devices) for (const listener of listeners.get(id) ?? []) listener();
}

/** Whether the light is on screen. */
export function isOnScreen(id: string): boolean {
  return listeners.has(id);
}

type Shown = Pick<Device, "id" | "current_state" | "last_state_at" | "problem" | "problem_since">;

/** The loaded record of a light, with what the server has told of it since then. */
export function useLiveDevice<Record extends Shown>(device: Record): Record {
  const { id } = device;
  const subscribe = useCallback((listener: () => void) => listen(id, listener), [id]);
  const news = useSyncExternalStore(
    subscribe,
    () => told.get(id),
    () => undefined,
  );
  // What was told before the record was on screen is older than the record, unless it says otherwise itself.
  const first = useRef<{ news: LiveDevice | undefined; device: Record | null }>({ news, device: null });
  if (news !== first.current.news) first.current = { news, device };
  const isSince = first.current.device === device;
  return useMemo(() => (news ? merged(device, news, isSince) : device), [device, news, isSince]);
}

/** `isSince`: it was told after the record had been loaded. */
export function merged<Record extends Shown>(device: Record, news: LiveDevice, isSince: boolean): Record {
  const { current_state, last_state_at, problem, problem_since } = news;
  const isNewer = last_state_at ? last_state_at > (device.last_state_at ?? "") : isSince;
  return {
    ...device,
    ...(isNewer && current_state ? { current_state, last_state_at: last_state_at ?? device.last_state_at } : {}),
    ...(isSince && problem !== undefined ? { problem, problem_since: problem_since ?? null } : {}),
  };
}

function listen(id: string, listener: () => void): () => void {
  const heard = listeners.get(id) ?? new Set();
  listeners.set(id, heard.add(listener));
  return () => {
    heard.delete(listener);
    if (heard.size === 0) listeners.delete(id);
  };
}
