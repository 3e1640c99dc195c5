import type { LiveList } from "#domain/lists/live";
import type { LiveDevice } from "#domain/lists/live-schema";

/** Whoever was away for longer than this loads everything again. */
const REMEMBERED_MS = 300_000;
/** Of more lights than a city has, nothing is remembered. */
const MOST_DEVICES = 20_000;

type Changed = { version: number; device: LiveDevice };

/**
 * What has changed lately, for browsers that listen: of each light only the latest, in memory only. Versions rise with the
 * clock (epoch ms), so that they stay ahead of those of the process before.
 */
export class Backlog {
  /** The latest change; and up to where nobody remembers what changed. */
  #version: number;
  #floor: number;
  /** By id, the latest last. */
  readonly #devices = new Map<string, Changed>();
  /** By list and department (null: everybody's). */
  readonly #lists = new Map<string, { version: number; list: LiveList; dept_id: string | null }>();

  /** `since` is the last instant at which the process before this one may have changed anything. */
  constructor(since: number) {
    this.#version = since;
    this.#floor = since;
  }

  get version(): number {
    return this.#version;
  }

  /** Something changed while nobody listened: whoever comes back loads everything. */
  forget(now: number): void {
    this.#version = this.#next(now);
    this.#floor = this.#version;
    this.#devices.clear();
    this.#lists.clear();
  }

  noteDevice(device: LiveDevice, now: number): void {
    if (this.#devices.size >= MOST_DEVICES) this.forget(now);
    const before = this.#devices.get(device.id)?.device;
    this.#version = this.#next(now);
    this.#forgetOld(now);
    this.#devices.delete(device.id);
    this.#devices.set(device.id, { version: this.#version, device: { ...before, ...device } });
  }

  noteList(list: LiveList, dept_id: string | null, now: number): void {
    this.#version = this.#next(now);
    this.#lists.set(`${list} ${dept_id ?? ""}`, { version: this.#version, list, dept_id });
  }

  /** What has changed since the version; null where nobody remembers. */
  since(version: number): { devices: LiveDevice[]; lists: { list: LiveList; dept_id: string | null }[] } | null {
    if (version < this.#floor || version > this.#version) return null;
    const isNewer = (change: { version: number }) => change.version > version;
    return {
      devices: [...this.#devices.values()].filter(isNewer).map(({ device }) => device),
      lists: [...this.#lists.values()].filter(isNewer),
    };
  }

  /** The oldest are first; each goes once. */
  #forgetOld(now: number): void {
    for (const [id, { version }] of this.#devices) {
      if (version >= now - REMEMBERED_MS) break;
      this.#floor = Math.max(this.#floor, version);
      this.#devices.delete(id);
    }
  }

  #next(now: number): number {
    return Math.max(this.#version + 1, now);
  }
}
