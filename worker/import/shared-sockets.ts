import { isDeviceId, socketsOf } from "#domain/light/sockets";
import type { Device } from "#domain/records/records";
import { socketsLit } from "#durable/providers/sockets-lit";
import { COLUMNS, type ColumnKey } from "./columns";
import type { StagedRow } from "./staged-row";

type Light = { cloud_device_id?: unknown; local_ref?: unknown; on_payload?: unknown };

/** What a light switches by one way as the file leaves it, and the row that gives it that; null where none does. */
type Holder = { lamp: string; by: ColumnKey; mask: number; row: number | null };
/** What is wrong in a column of a row. */
type Shared = { row: number; column: string; sentence: string };

/**
 * The rows after which two lights would switch one socket of one ID, each with what to say of it: one lamp would
 * follow two plans. What shared a socket before the file is not its fault, and two may change places.
 */
export function sharedSockets(changes: StagedRow[], here: Device[]): Shared[] {
  const lights = new Map(here.map((device) => [device.id, holdersOf(device, null)]));
  for (const { kind, record_id, row, details } of changes) {
    if (kind !== "device") continue;
    const before = lights.get(record_id);
    const kept = ({ lamp, mask }: Holder) => before?.find((one) => one.lamp === lamp && one.mask === mask);
    lights.set(
      record_id,
      holdersOf(details.after, row).map((one) => kept(one) ?? one),
    );
  }
  const byLamp = new Map<string, Holder[]>();
  for (const one of [...lights.values()].flat()) byLamp.set(one.lamp, [...(byLamp.get(one.lamp) ?? []), one]);
  const problems = [...byLamp.values()].flatMap(refused);
  // One sentence of a row will do, though both ways lead to the same lamp.
  return [...new Map(problems.toReversed().map((one) => [one.row, one])).values()];
}

/** All but the lights that are here, or else the first row. */
function refused(holders: Holder[]): Shared[] {
  const taken = holders.filter(({ row }) => row === null);
  const problems: Shared[] = [];
  for (const holder of holders.toSorted((a, b) => (a.row ?? 0) - (b.row ?? 0))) {
    const { row, mask } = holder;
    if (row === null) continue;
    const other = taken.find((one) => (one.mask & mask) !== 0);
    if (other === undefined) taken.push(holder);
    else {
      const who = other.row === null ? "A light that is here" : `Row ${other.row}`;
      const column = COLUMNS[holder.by].label;
      problems.push({ row, column, sentence: `${who} has this ${column}, too. ${SOCKETS}` });
    }
  }
  return problems;
}

const SOCKETS = "Two lights share one only as different sockets, told by the Local reference: #2 and #4, for example.";

/**
 * The cloud and a hub know a light by its own ID there, or by the other one where it has none, as the engine has it. A Local
 * reference that is a name is no ID.
 */
function holdersOf(light: Light, row: number | null): Holder[] {
  const ids = { cloud_device_id: textOf(light.cloud_device_id), local_ref: textOf(light.local_ref) };
  const mask = socketsLit({ ...ids, on_payload: textOf(light.on_payload) });
  const { cloud, local } = socketsOf(ids);
  const byCloud = { id: cloud, by: "cloud_device_id" as const };
  const byHub = { id: isDeviceId(local) ? local : "", by: "local_ref" as const };
  const ways = { cloud: cloud ? byCloud : byHub, local: byHub.id ? byHub : byCloud };
  return Object.entries(ways)
    .filter(([, { id }]) => id !== "")
    .map(([way, { id, by }]) => ({ lamp: `${way} ${id.toLowerCase()}`, by, mask, row }));
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
