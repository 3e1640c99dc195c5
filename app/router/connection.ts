import { useEffect, useSyncExternalStore } from "react";

/**
 * Whether the server answers, whether it tells by itself what changes, and when the data on screen was last loaded (epoch
 * ms; null if the screen does not reload).
 * Kept outside React, because the browser's `fetch` notices first. Never written on the server, which renders pages for
 * many people.
 */
type Connection = { isLost: boolean; isLive: boolean; updated_at: number | null };

const FIRST: Connection = { isLost: false, isLive: false, updated_at: null };
let connection = FIRST;
let shown = 0;
let failed = 0;
const listeners = new Set<() => void>();
const unreachedListeners = new Set<(search: string) => void>();

let remaining = false;

/** Whether the router is being sent to where it is, which must load nothing. */
export function isRemaining(): boolean {
  return remaining;
}

export function setRemaining(value: boolean): void {
  remaining = value;
}

let isBehind = () => false;

/** Whether the layout shows what has changed since, as the person's role, and is to be loaded with the lists. */
export function isLayoutBehind(): boolean {
  return !remaining && isBehind();
}

export function setLayoutBehind(value: () => boolean): void {
  isBehind = value;
}

export function isLost(): boolean {
  return connection.isLost;
}

export function setLost(isLost: boolean): void {
  if (connection.isLost !== isLost) set({ ...connection, isLost });
}

/**
 * Whether the server answers: Remix would replace the screen with an error page if a reload failed. /api/health is for
 * monitors: it fails while any organization's scheduler is late.
 */
export async function isThere(): Promise<boolean> {
  const isAnswered = await fetch("/api/alive").then(
    (answer) => answer.ok,
    () => false,
  );
  setLost(!isAnswered);
  return isAnswered;
}

export function isLive(): boolean {
  return connection.isLive;
}

export function setLive(isLive: boolean): void {
  if (connection.isLive !== isLive) set({ ...connection, isLive });
}

/** Calls `listener` with the query string of each navigation that gets no answer. Returns a function that ends that. */
export function onUnreached(listener: (search: string) => void): () => void {
  unreachedListeners.add(listener);
  return () => {
    unreachedListeners.delete(listener);
  };
}

/**
 * Tells that a navigation to another view got no answer. An event and not a state of the router: React may skip rendering
 * a navigation that begins and ends at once.
 */
export function tellUnreached(search: string): void {
  for (const listener of unreachedListeners) listener(search);
}

/** Whether the server has stopped answering. */
export function useIsLost(): boolean {
  return useSyncExternalStore(subscribe, isLost, () => false);
}

/** Whether the server tells by itself what changes, so that nothing needs to be asked. */
export function useIsLive(): boolean {
  return useSyncExternalStore(subscribe, isLive, () => false);
}

/** When the data on screen was last loaded, in epoch ms; null if the screen does not reload. */
export function updatedAt(): number | null {
  return connection.updated_at;
}

/** The same for what shows it. */
export function useUpdatedAt(): number | null {
  return useSyncExternalStore(subscribe, updatedAt, () => null);
}

/** Whether something on screen could not be loaded when it last was to be. */
export function hasFailed(): boolean {
  return failed > 0;
}

/** Registers that the screen says of something that it could not be loaded. */
export function useFailed(): void {
  useEffect(() => {
    failed += 1;
    return () => void (failed -= 1);
  }, []);
}

/** When each list came, in epoch ms. */
const came = new WeakMap<object, number>();

/**
 * Registers a list that is on screen; `rows` are its last loaded data. One that is back on screen, since the screen that it
 * was left for never came, is as old as it was, and no sign of a server.
 */
export function useLoaded(rows: object | null): void {
  useEffect(() => {
    shown += 1;
    return () => {
      shown -= 1;
      if (shown === 0) set({ ...connection, updated_at: null });
    };
  }, []);
  useEffect(() => {
    if (rows === null) return;
    const isBack = came.has(rows);
    if (!isBack) came.set(rows, Date.now());
    set({ ...connection, isLost: isBack && isLost(), updated_at: came.get(rows) ?? null });
  }, [rows]);
}

function set(next: Connection): void {
  connection = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
