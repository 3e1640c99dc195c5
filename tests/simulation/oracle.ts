import { occurrences } from "#domain/recurrence";
import { toWall } from "#domain/wall-clock";
import type { Guardrails } from "#domain/schedule";
import type { SwitchAction } from "#domain/words";
import type { World } from "#tests/support/engine";
import { sql } from "#tests/support/light";
import type { Plan } from "./life";

const ZONE = "America/Los_Angeles";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How long the engine may take to make good what it can know of, ladder and verification included. */
const PATIENCE_MS = 2 * MINUTE;

/**
 * Knows what should be, from its own books, and sees the physical lamps. It objects by throwing, with a short trace.
 * It looks at every call that leaves and at every step of the life.
 */
export class Oracle {
  readonly plans = new Map<string, Plan & { since: number }>();
  readonly rules: Guardrails = {
    HARD_CURFEW_OFF: "23:45",
    BLACKOUT_WINDOW: "00:00-05:00",
    MAX_ON_DURATION_MIN: 240,
    zone: ZONE,
  };
  readonly #presses = new Map<string, { on: number | null; off: number | null }>();
  readonly #hands = new Set<string>();
  readonly #broken = new Map<string, { isBroken: boolean; at: number }>();
  readonly #readings = new Set<string>();
  readonly #downs: [number, number][] = [];
  readonly #trace: string[] = [];
  #excused_until = 0;
  #calls = 0;

  constructor(readonly world: World) {
    this.watch();
  }

  /** Stands between the engine and its lamps; again after each restart, which makes new providers. */
  watch(): void {
    const { world } = this;
    const inner = world.room.providers;
    world.room.providers = (mode) => {
      const provider = inner(mode);
      return {
        ...provider,
        switch: (address, action, timeout_ms, how) => {
          this.#sent(address.lamp, action);
          return provider.switch(address, action, timeout_ms, how);
        },
        read: async (address, timeout_ms, how) => {
          const answer = await provider.read(address, timeout_ms, how);
          if (answer.ok) this.#readings.add(`${address.lamp} ${answer.state} ${world.now}`);
          return answer;
        },
      };
    };
  }

  excuse(ms: number): void {
    this.#excused_until = Math.max(this.#excused_until, this.world.now + ms);
  }

  down(from: number, to: number): void {
    this.#downs.push([from, to]);
    this.#note("the engine was down");
  }

  pressed(device: string, action: SwitchAction, success: boolean): void {
    const before = this.#presses.get(device) ?? { on: null, off: null };
    this.#presses.set(device, { ...before, [action]: this.world.now });
    this.#note(`press ${action} on ${device}: ${success}`);
  }

  touchedByHand(device: string): void {
    this.#hands.add(device);
    this.#note(`hand at ${device}`);
  }

  broke(of: string, isBroken: boolean): void {
    this.#broken.set(of, { isBroken, at: this.world.now });
    this.#note(`${of} ${isBroken ? "broke" : "healed"}`);
  }

  /** No ON leaves in a restricted time, and none without a claim or a press behind it. */
  #sent(device: string, action: SwitchAction): void {
    this.#calls += 1;
    const { now } = this.world;
    this.#note(`sent ${action} to ${device}`);
    this.#hands.delete(device); // whatever a hand did, the engine has touched it since
    if (action === "off" || now < this.#excused_until) return;
    if (this.#isRestricted(now)) this.#object(`an ON left for ${device} in a restricted time`);
    const press_on = this.#presses.get(device)?.on ?? -Infinity;
    const isPressed = now - press_on <= this.rules.MAX_ON_DURATION_MIN * MINUTE;
    if (!isPressed && !this.#isPressing && this.#claims(device, now).length === 0) {
      this.#object(`an ON left for ${device} without a reason`);
    }
  }

  /** Set while a person waits for a press: the book has it only once it is answered. */
  #isPressing = false;
  set pressing(is: boolean) {
    this.#isPressing = is;
  }

  /** What the lamps must show now, where nothing excuses them. */
  check(d1IsUp: boolean): void {
    const { world } = this;
    const { timers } = world.storage.sql.exec<{ timers: number }>("SELECT COUNT(*) AS timers FROM timers").one();
    if (timers > 0 && world.alarm_at === null) this.#object("there are timers, but no alarm is set");
    if (!d1IsUp || world.now < this.#excused_until + PATIENCE_MS) return;
    for (const device of this.#devices()) this.#checkLamp(device);
  }

  #checkLamp(device: string): void {
    const { now } = this.world;
    if (!this.#isSound(device)) return;
    const isLit = this.world.lamp(device) === "on";
    const wasRestricted = this.#isRestricted(now) && this.#isRestricted(now - PATIENCE_MS);
    if (isLit && wasRestricted) this.#object(`${device} burns in a restricted time`);
    const recently = this.#claims(device, now).concat(this.#claims(device, now - PATIENCE_MS));
    const { on, off } = this.#presses.get(device) ?? { on: null, off: null };
    const max_ms = this.rules.MAX_ON_DURATION_MIN * MINUTE;
    const isPressed = on !== null && now - on < max_ms + PATIENCE_MS;
    if (isLit && recently.length === 0 && !isPressed) this.#object(`${device} burns without a reason`);
    for (const claim of this.#claims(device, now)) {
      const since = now - claim.start;
      const isSteady = since > PATIENCE_MS && since < max_ms && claim.end - now > PATIENCE_MS;
      const wasFree = !this.#anyRestricted(claim.start - max_ms, now);
      const isPressedOff = off !== null && off >= claim.start - max_ms;
      const wasPressedOn = on !== null && on >= claim.start - max_ms;
      if (isSteady && wasFree && !isPressedOff && !wasPressedOn && !isLit && this.#soundSince(device) < claim.start) {
        const alone = this.#claims(device, claim.start).length === 1;
        if (alone) this.#object(`${device} is dark in its window`);
      }
    }
  }

  /** At the end: the outbox is empty, every ok was read from the lamp, and every failure was told. */
  async close(): Promise<void> {
    const { world } = this;
    const { left } = world.storage.sql.exec<{ left: number }>("SELECT COUNT(*) AS left FROM outbox").one();
    if (left > 0) this.#object(`${left} facts were never told to D1`);
    const { results } = await sql(
      "SELECT ts, device_id, action, result, attempts FROM scheduler_events WHERE org_id = ?",
      world.org_id,
    ).all<{ ts: string; device_id: string; action: string; result: string; attempts: number }>();
    for (const event of results.filter((e) => e.result === "ok")) {
      const read = `${event.device_id} ${event.action} ${Date.parse(event.ts)}`;
      if (!this.#readings.has(read)) this.#object(`ok without a reading: ${JSON.stringify(event)}`);
    }
    const { told } = (await sql(
      "SELECT COUNT(*) AS told FROM notifications WHERE org_id = ? AND kind = 'device_failed'",
      world.org_id,
    ).first<{ told: number }>()) ?? { told: 0 };
    const failed = new Set(results.filter((e) => e.result === "fail" && e.attempts > 0).map((e) => e.device_id)).size;
    if (told < failed) this.#object(`${failed} devices failed, ${told} messages`);
  }

  get calls(): number {
    return this.#calls;
  }

  #claims(device: string, at: number): { start: number; end: number }[] {
    return [...this.plans.values()]
      .filter((plan) => plan.device_id === device)
      .flatMap((plan) => occurrences(plan, at, at + 1));
  }

  #devices(): Set<string> {
    return new Set([...this.plans.values()].map((plan) => plan.device_id));
  }

  /** Neither lamp nor hub is broken, or was until just now; and nobody's hand was last at the pole. */
  #isSound(device: string): boolean {
    return this.#soundSince(device) < this.world.now - 65 * MINUTE;
  }

  #soundSince(device: string): number {
    let since = this.#hands.has(device) ? Infinity : 0;
    for (const [of, { isBroken, at }] of this.#broken) {
      if (of.startsWith("lamp:") && of !== `lamp:${device}`) continue;
      since = Math.max(since, isBroken ? Infinity : at);
    }
    for (const [, to] of this.#downs) since = Math.max(since, to);
    return since;
  }

  #anyRestricted(from: number, to: number): boolean {
    for (let at = from; at <= to; at += 5 * MINUTE) if (this.#isRestricted(at)) return true;
    return false;
  }

  /** By the clock on the wall, minute by minute, as a person would read the rules. */
  #isRestricted(at: number): boolean {
    const minute = Math.floor((toWall(ZONE, at) % DAY) / MINUTE);
    const blackout = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/.exec(this.rules.BLACKOUT_WINDOW)?.slice(1).map(Number);
    const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = blackout ?? [];
    const from = fromHour * 60 + fromMinute;
    const to = toHour * 60 + toMinute;
    if (blackout && minute >= from && minute < to) return true;
    const curfew = /^(\d\d):(\d\d)$/.exec(this.rules.HARD_CURFEW_OFF)?.slice(1).map(Number);
    if (!curfew) return false;
    const begins = (curfew[0] ?? 0) * 60 + (curfew[1] ?? 0);
    const ends = blackout ? to + 24 * 60 : begins + 6 * 60;
    return (minute >= begins && minute < ends) || minute + 24 * 60 < ends;
  }

  #note(line: string): void {
    this.#trace.push(`${new Date(this.world.now).toISOString()} ${line}`);
    if (this.#trace.length > 40) this.#trace.shift();
  }

  #object(what: string): never {
    throw new Error(`${new Date(this.world.now).toISOString()} ${what}\n${this.#trace.join("\n")}`);
  }
}
