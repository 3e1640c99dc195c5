import type { Desk } from "./desk";
import type { Event } from "./event";
import { forgetBefore, REMEMBERED } from "./remembered";

/** Events by their ids: each is told once, and D1 has it as long as no restore has lost it. */
export class Told {
  /** How many D1 has, or is about to be told. */
  count = 0;
  readonly #known = new Map<string, { at: number; isLost: boolean }>();

  constructor(readonly desk: Desk) {}

  add({ id, device_id }: Event): void {
    const { now } = this.desk.world;
    const before = this.#known.get(id);
    // What a clock that is hours ahead has told comes about once more.
    const isAgain = before !== undefined && this.desk.wasAhead(before.at);
    if (before && !isAgain && !this.desk.wasGoneSince(device_id, before.at))
      this.desk.object(device_id, `the same event twice: ${id}`);
    if (!before || before.isLost) this.count += 1;
    this.#known.delete(id);
    this.#known.set(id, { at: now, isLost: false });
    forgetBefore(this.#known, now - REMEMBERED, ({ at }) => at);
  }

  /** D1 went back to a backup that has only these; what waits in the outbox it will have, too. */
  restored(ids: string[]): void {
    const untold = this.desk.inside.posted(0).filter(({ kind }) => kind === "scheduler_event");
    const stored = new Set([...ids, ...untold.map(({ body }) => String(JSON.parse(body).id))]);
    this.count = stored.size;
    for (const [id, { at }] of this.#known) this.#known.set(id, { at, isLost: !stored.has(id) });
  }
}
