import { sentOn, type Instants } from "#domain/desired-state";
import type { DeviceState, SwitchAction } from "#domain/enums";

/**
 * What the object remembers of one device: the three instants of design 3, the reported state and when, and what the
 * last look answered. Instants are epoch milliseconds.
 */
export type DeviceMemory = Instants & {
  device_id: string;
  /** What a reading last said. */
  reported: DeviceState;
  reported_at: number | null;
  /** When D1 was last told of the reported state. */
  written_at: number | null;
  /** When a command was last sent; a report from before says nothing of what it did. */
  sent_at: number | null;
  /** The last resolution, as desired-state's reasonKey; a change of it starts commands. */
  resolved: string;
  looked_at: number | null;
  /** A connectivity test holds the device until then: it is not reconciled meanwhile. */
  test_until: number | null;
};

export function memoryOf(sql: SqlStorage, device_id: string): DeviceMemory {
  const [row] = sql.exec<DeviceMemory>("SELECT * FROM standings WHERE device_id = ?", device_id).toArray();
  return (
    row ?? {
      device_id,
      off_at: null,
      cut_min: null,
      on_at: null,
      lit_since: null,
      lit_by: "us",
      reported: "unknown",
      reported_at: null,
      written_at: null,
      sent_at: null,
      resolved: "",
      looked_at: null,
      test_until: null,
    }
  );
}

export function saveMemory(sql: SqlStorage, s: DeviceMemory): void {
  sql.exec(
    `INSERT OR REPLACE INTO standings
       (device_id, off_at, on_at, lit_since, lit_by, reported, reported_at, written_at, sent_at, resolved, looked_at, test_until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    s.device_id,
    s.off_at,
    s.on_at,
    s.lit_since,
    s.lit_by,
    s.reported,
    s.reported_at,
    s.written_at,
    s.sent_at,
    s.resolved,
    s.looked_at,
    s.test_until,
  );
}

export function forgetMemory(sql: SqlStorage, device_id: string): void {
  sql.exec("DELETE FROM standings WHERE device_id = ?", device_id);
}

/** What a send changes before it is known whether it left. */
export type Before = Pick<DeviceMemory, "sent_at" | "lit_since" | "lit_by">;

/** A command leaves for the device; answers what was known of it, for `takeBack`. */
export function noteSent(sql: SqlStorage, device_id: string, action: SwitchAction, now: number): Before {
  const memory = memoryOf(sql, device_id);
  saveMemory(sql, { ...memory, ...(action === "on" ? sentOn(memory, now) : {}), sent_at: now });
  return { sent_at: memory.sent_at, lit_since: memory.lit_since, lit_by: memory.lit_by };
}

/** What did not leave has not touched the lamp: its standing is as it was. */
export function takeBack(sql: SqlStorage, sent: { device_id: string | null; before?: Before }): void {
  const { device_id, before } = sent;
  if (before && device_id !== null) saveMemory(sql, { ...memoryOf(sql, device_id), ...before });
}

/** The reported state, as far as it can still be believed: a command sent since makes it unknown. */
export function knownState(s: DeviceMemory): DeviceState {
  if (s.reported_at === null) return "unknown";
  return s.sent_at !== null && s.sent_at >= s.reported_at ? "unknown" : s.reported;
}
