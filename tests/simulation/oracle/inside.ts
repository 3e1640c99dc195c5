import type { World } from "#tests/support/engine";
import type { SwitchAction } from "#domain/enums";

/** The least that is due, and of those that are being served the least at which their lease is over, each by an index. */
const WAKES_AT = `SELECT MIN(at) AS at FROM (
  SELECT MIN(due_at) AS at FROM timers WHERE lease IS NULL AND kind <> 'recheck'
  UNION ALL SELECT MIN(due_at) FROM timers WHERE lease IS NULL AND kind = 'recheck'
  UNION ALL SELECT MIN(MAX(due_at, lease)) FROM timers WHERE lease IS NOT NULL)`;

/** A fact as the engine has stored it to be told. */
export type Posted = { id: number; kind: string; body: string };

/**
 * The one door through which the oracle looks into the engine's own tables. It asks only when something happened that the
 * world outside can't see (a fact stored but not told yet, a commit before a death), and never what a lamp should be.
 */
export class Inside {
  constructor(readonly world: World) {}

  /** What was posted after `id`, in its order. */
  posted(id: number): Posted[] {
    return this.#rows<Posted>("SELECT id, kind, body FROM outbox WHERE id > ? ORDER BY id", id);
  }

  /** The fact that has waited longest to be told to D1; of a kind that the engine knows. */
  oldestUntold(): Posted | null {
    return (
      this.#rows<Posted>("SELECT id, kind, body FROM outbox WHERE kind <> 'next_kind' ORDER BY id LIMIT 1")[0] ?? null
    );
  }

  /** When the engine itself means to be woken next, leases included; null: never. */
  wakesAt(): number | null {
    return this.#rows<{ at: number | null }>(WAKES_AT)[0]?.at ?? null;
  }

  /** Epoch and version of the plan that was committed last, -1 and null: none; whether the organization is served. */
  plan(): { epoch: string | null; version: number; isServed: boolean } {
    const rows = this.#rows<{ key: string; value: string }>(
      "SELECT key, value FROM meta WHERE key IN ('version', 'epoch', 'active')",
    );
    const of = (key: string) => rows.find((row) => row.key === key)?.value;
    return {
      epoch: of("epoch") ?? null,
      version: Number(of("version") ?? -1),
      isServed: of("active") !== "false",
    };
  }

  /** How far its clock had come when it last changed anything, to the second. */
  clock(): number {
    return Number(this.#rows<{ value: string }>("SELECT value FROM meta WHERE key = 'clock'")[0]?.value ?? 0);
  }

  /** When the last evaluation of a device was committed; null where the engine does not know it. */
  evaluatedAt(device: string): number | null {
    const query = "SELECT COALESCE(reconciled_at, 0) AS at FROM device_memory WHERE device_id = ?";
    return this.#rows<{ at: number }>(query, device)[0]?.at ?? null;
  }

  /** The same of all devices that it knows. */
  allEvaluatedAt(): ReadonlyMap<string, number> {
    const query = "SELECT device_id AS id, COALESCE(reconciled_at, 0) AS at FROM device_memory";
    return new Map(this.#rows<{ id: string; at: number }>(query).map(({ id, at }) => [id, at]));
  }

  /** What was committed of the hubs that did not answer. */
  hubTrouble(): { hub: string; failures: number; paused_until: number; lamp: string | null }[] {
    const query = "SELECT * FROM hub_trouble WHERE hub LIKE 'hub:%'";
    const rows = this.#rows<{ hub: string; failures: number; paused_until: number; lamp: string | null }>(query);
    return rows.map(({ hub, ...trouble }) => ({ hub: hub.slice("hub:".length), ...trouble }));
  }

  /** The switches that were handed out and not reported. */
  handedOut(): { id: number; lamp: string; hub: string | null; action: SwitchAction; isTest: boolean }[] {
    return this.#rows<{ id: number; body: string }>("SELECT id, body FROM calls")
      .map(({ id, body }) => ({ ...JSON.parse(body), id }))
      .filter(({ kind }) => kind === "send" || kind === "probe_switch")
      .map(({ id, kind, address, action }) => ({
        id,
        lamp: address.lamp,
        hub: address.hub?.id ?? null,
        action,
        isTest: kind === "probe_switch",
      }));
  }

  #rows<T extends Record<string, SqlStorageValue>>(query: string, ...values: SqlStorageValue[]): T[] {
    return this.world.storage.sql.exec<T>(query, ...values).toArray();
  }
}
