import { useEffect, useSyncExternalStore } from "react";

/**
 * Whether the server answers, and when what is on screen was last loaded (epoch ms; null where nothing on screen is
 * reloaded). It is kept beside React, because it is the browser's `fetch` that notices first. Never written on the
 * server, which renders many people's pages.
 */
type Connection = { isLost: boolean; updated_at: number | null };

const FIRST: Connection = { isLost: false, updated_at: null };
let connection = FIRST;
let shown = 0;
const listeners = new Set<() => void>();

export function isLost(): boolean {
  return connection.isLost;
}

export function setLost(isLost: boolean): void {
  if (connection.isLost !== isLost) set({ ...connection, isLost });
}

/** Whether the server has stopped answering. */
export function useIsLost(): boolean {
  return useSyncExternalStore(subscribe, isLost, () => false);
}

/** When what is on screen was last loaded, in epoch ms. */
export function useUpdatedAt(): number | null {
  return useSyncExternalStore(
    subscribe,
    () => connection.updated_at,
    () => null,
  );
}

/** For a list: it is on screen, and `rows` are what was last loaded of it. */
export function useLoaded(rows: unknown): void {
  useEffect(() => {
    shown += 1;
    return () => {
      shown -= 1;
      if (shown === 0) set({ ...connection, updated_at: null });
    };
  }, []);
  useEffect(() => {
    if (rows !== null) set({ isLost: false, updated_at: Date.now() });
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
