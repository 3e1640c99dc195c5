import type { Room } from "../room";
import type { Providers } from "./provider";
import { mockProvider } from "./mock";

/** The provider of each mode (decision 20). */
export function selectProviders(sql: SqlStorage, now: () => number, after: Room["after"]): Providers {
  const mock = mockProvider(sql, now, (ms) => new Promise((done) => after(ms, done)));
  return () => mock;
}
