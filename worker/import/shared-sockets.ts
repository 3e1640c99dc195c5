import type { Device } from "#domain/records/records";
import type { StagedRow } from "./staged-row";

/** A light as the file leaves it, and the row that gives it its Cloud ID or socket; null where none does. */
type Holder = { socket: string; row: number | null };

/**
 * The rows after which two lights would be the same socket of one Cloud ID, each with what to say of it: switched as two,
 * one lamp would follow two plans. What shared a socket before the file is not its fault, and two may change places.
 */
export function sharedSockets(changes: StagedRow[], here: Device[]): { row: number; sentence: string }[] {
  const lights = new Map(here.map((device): [string, Holder] => [device.id, { socket: socketOf(device), row: null }]));
  for (const { kind, record_id, row, details } of changes) {
    if (kind !== "device") continue;
    const socket = socketOf(details.after);
    if (lights.get(record_id)?.socket !== socket) lights.set(record_id, { socket, row });
  }
  const bySocket = new Map<string, Holder[]>();
  for (const light of lights.values())
    if (light.socket !== "") bySocket.set(light.socket, [...(bySocket.get(light.socket) ?? []), light]);
  return [...bySocket.values()].flatMap(refused);
}

/** All but the light that is here, or else the first row. */
function refused(holders: Holder[]): { row: number; sentence: string }[] {
  const rows = holders.flatMap(({ row }) => row ?? []).toSorted((a, b) => a - b);
  const isHere = rows.length < holders.length;
  const who = isHere ? "A light that is here" : `Row ${rows[0]}`;
  return rows.slice(isHere ? 0 : 1).map((row) => ({ row, sentence: `${who} has this Cloud ID, too. ${SOCKETS}` }));
}

const SOCKETS = "Two lights share one only as different sockets, told by the Local reference: #1 and #2, for example.";

/** '' without a Cloud ID. */
function socketOf(light: { cloud_device_id?: unknown; local_ref?: unknown }): string {
  const cloud_id = String(light.cloud_device_id ?? "")
    .trim()
    .toLowerCase();
  return cloud_id && JSON.stringify([cloud_id, light.local_ref ?? ""]);
}
