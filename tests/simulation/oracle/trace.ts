import type { World } from "#tests/support/engine";

const KEPT = 40;

/** What happened, by device, for the one who has to find out why; and a digest of all of it. */
export class Trace {
  digest = 0;
  notes = 0;
  readonly #lines = new Map<string | null, { n: number; line: string }[]>();

  constructor(readonly world: World) {}

  /** `device` null: it concerns everybody. */
  note(device: string | null, what: string): void {
    const line = `${new Date(this.world.now).toISOString()} ${what}`;
    this.notes += 1;
    const text = line.replaceAll(this.world.org_id, "");
    for (let i = 0; i < text.length; i += 1) this.digest = (Math.imul(this.digest, 31) + text.charCodeAt(i)) | 0;
    const lines = this.#lines.get(device) ?? [];
    lines.push({ n: this.notes, line });
    if (lines.length > KEPT) lines.shift();
    this.#lines.set(device, lines);
  }

  /** The last notes of one device, and of what concerned everybody meanwhile. */
  of(device: string | null): string {
    const own = device === null ? [...this.#lines.values()].flat() : (this.#lines.get(device) ?? []);
    const common = this.#lines.get(null) ?? [];
    return [...new Set([...own.slice(-KEPT), ...common])]
      .toSorted((a, b) => a.n - b.n)
      .map(({ line }) => line)
      .join("\n");
  }
}
