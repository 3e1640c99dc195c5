import { loadCommands } from "#durable/commands/command-table";
import { loadClaims } from "#durable/state/claims";
import { loadMemories } from "#durable/state/device-memory";
import type { Store } from "#durable/state/kept";
import { loadDevices } from "#durable/state/plan";
import { loadTimers } from "#durable/state/timers";

/** Reads what evaluations of these devices will ask for, in one statement for each table instead of one for each device. */
export function loadForEvaluation(sql: Store, device_ids: string[]): void {
  if (device_ids.length < 2) return;
  loadDevices(sql, device_ids);
  loadMemories(sql, device_ids);
  loadClaims(sql, device_ids);
  loadCommands(sql, device_ids);
  loadTimers(sql, "wake", device_ids);
  loadTimers(sql, "recheck", device_ids);
}
