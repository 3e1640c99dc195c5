import { COOL, type Cooling } from "#domain/resolve/cooling";
import { NO_INSTANTS, sentOn, type Instants } from "#domain/resolve/instants";
import type { ResolvedState } from "#domain/resolve/reason";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { insertRows, replaceOne } from "./insert-rows";
import type { Store } from "./kept";
import { keptTable, type Written } from "./kept-table";
import { updateRows, updatesOf, type Columns, type Update } from "./update-rows";

/**
 * What the object remembers of one device: its instants, the reported state and when, and what it was last resolved to.
 * Instants are epoch milliseconds.
 */
export type DeviceMemory = Instants &
  Cooling & {
    device_id: string;
    /** Who switched it off at `off_at`, and on at `on_at`: e-mail addresses. */
    off_by: string | null;
    on_by: string | null;
    /** Since when it is held, why, and by whom; of no meaning without a hold. The emergency likewise. */
    hold_since: number | null;
    hold_reason: string | null;
    hold_by: string | null;
    emergency_since: number | null;
    emergency_reason: string | null;
    emergency_by: string | null;
    /** When a toggle, or its end, last changed what people ask for: what they had asked for before is not known any more. */
    asked_at: number | null;
    /** The hold or emergency that D1 was last told of, as JSON. */
    hold_told: string | null;
    /** What the log of states was last told that was wanted, by its key, and that a reading said. */
    desired_told: string | null;
    reported_told: DeviceState | null;
    /** What a reading last said. */
    reported: DeviceState;
    reported_at: number | null;
    /** When the reported state was last written to D1. */
    written_at: number | null;
    /** When a command was last sent; a report from before says nothing of what it did. */
    sent_at: number | null;
    /** What it was last resolved to; null before the first time, and after its address changed. */
    resolved_state: ResolvedState | null;
    /** The resolution as desired-state's reasonKey; a change of it starts commands. */
    resolved_reason: string | null;
    reconciled_at: number | null;
    /** A connectivity test holds the device until then: it is not reconciled meanwhile. */
    test_until: number | null;
    /** Why its state is not what it should be, and since when; null while all is well. */
    problem: string | null;
    problem_since: number | null;
  };

/** How many lights' memory stays at hand: 400 bytes each. */
const LIGHTS_KEPT = 20_000;

const memories = keptTable<DeviceMemory>({
  read: (sql, device_id) =>
    sql.exec<DeviceMemory>("SELECT * FROM device_memory WHERE device_id = ?", device_id).toArray()[0] ?? null,
  readMany: (sql, ids) =>
    sql
      .exec<DeviceMemory>("SELECT * FROM device_memory WHERE device_id IN (SELECT value FROM json_each(?))", ids)
      .toArray()
      .map((memory) => [memory.device_id, memory]),
  write,
  drop: (sql, device_id) => void sql.exec("DELETE FROM device_memory WHERE device_id = ?", device_id),
  most: LIGHTS_KEPT,
});

/** Reads what is remembered of these devices, all at once. */
export function loadMemories(sql: Store, device_ids: string[]): void {
  memories(sql).load?.(device_ids);
}

const UNSEEN: Omit<DeviceMemory, "device_id"> = {
  ...NO_INSTANTS,
  ...COOL,
  hold_since: null,
  hold_reason: null,
  hold_by: null,
  emergency_since: null,
  emergency_reason: null,
  emergency_by: null,
  asked_at: null,
  hold_told: null,
  desired_told: null,
  reported_told: null,
  reported: "unknown",
  reported_at: null,
  written_at: null,
  sent_at: null,
  resolved_state: null,
  resolved_reason: null,
  reconciled_at: null,
  test_until: null,
  off_by: null,
  on_by: null,
  problem: null,
  problem_since: null,
};

const COLUMNS = Object.keys(UNSEEN);
const UPDATES = updatesOf("device_memory", ["device_id"], COLUMNS);
const INSERT = replaceOne("device_memory", ["device_id", ...COLUMNS]);

function write(sql: SqlStorage, rows: Written<DeviceMemory>[]): void {
  const fresh: SqlStorageValue[][] = [];
  const known: Update[] = [];
  for (const { row, stored } of rows) {
    if (stored) known.push({ row, stored });
    else fresh.push([row.device_id, ...valuesOf(row)]);
  }
  insertRows(sql, INSERT, fresh);
  updateRows(sql, UPDATES, known);
}

function valuesOf(row: Columns): SqlStorageValue[] {
  return COLUMNS.map((name) => row[name] ?? null);
}

/** What is remembered of the device; for one that was never seen, nothing. */
export function memoryOf(sql: Store, device_id: string): DeviceMemory {
  return { ...(memories(sql).get(device_id) ?? UNSEEN), device_id };
}

/** Replaces what is remembered of the device. */
export function saveMemory(sql: Store, memory: DeviceMemory): void {
  memories(sql).put(memory.device_id, { ...memory });
}

/** Forgets a device that is no more. */
export function forgetMemory(sql: Store, device_id: string): void {
  memories(sql).drop(device_id);
}

/** What a send at `at` (epoch ms) changes before it is known whether it left. */
export type Before = Pick<DeviceMemory, "sent_at" | "lit_since" | "lit_by"> & { at: number };

/** A command leaves for the device; answers what was known of it, for `takeBack`. */
export function noteSent(sql: Store, device_id: string, action: SwitchAction, now: number): Before {
  const memory = memoryOf(sql, device_id);
  saveMemory(sql, { ...memory, ...(action === "on" ? sentOn(memory, now) : {}), sent_at: now });
  return { at: now, sent_at: memory.sent_at, lit_since: memory.lit_since, lit_by: memory.lit_by };
}

/**
 * What did not leave has not touched the lamp: what is remembered of it is as it was before. Not where another hub has
 * switched or read it since.
 */
export function takeBack(sql: Store, device_id: string, { at, ...known }: Before): void {
  const memory = memoryOf(sql, device_id);
  if (memory.sent_at === at && (memory.reported_at ?? 0) <= at) saveMemory(sql, { ...memory, ...known });
}

/** The reported state, as far as it can still be believed: a command sent since makes it unknown. */
export function knownState(s: DeviceMemory): DeviceState {
  if (s.reported_at === null) return "unknown";
  return s.sent_at !== null && s.sent_at >= s.reported_at ? "unknown" : s.reported;
}
