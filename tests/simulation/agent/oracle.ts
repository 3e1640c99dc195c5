import type { PlannedLamp } from "#domain/agent/standing-plan";
import type { Now } from "#domain/agent/lamp-on-site";
import { explain } from "#durable/reconcile/explain";
import type { World } from "#tests/support/engine";
import { sql } from "#tests/support/light";
import type { Lamps } from "./lamps";
import type { Site, Switching } from "./site";

/** A minute, the two tries that it may take, and the program's idle tick. */
const SOON_MS = 100_000;
const MINUTE_MS = 60_000;
/** The lamps of a hub are switched one after the other. */
export const IN_TURN_MS = 20_000;
/** A person's ON has come to its end, with all its tries. */
const TOGGLED_MS = 15 * MINUTE_MS;
/** What the city was told of a plan it has made good for by then. */
const CAUGHT_UP_MS = 10 * MINUTE_MS;

/** Judges a life from outside: by the true lamps, the true time, the plan that the agent holds, and what people were told. */
export class Oracle {
  readonly #lit = new Map<string, number>();
  #able_since = 0;
  /** When the agent, alone, could switch and read its lamps. */
  readonly #able: { from: number; to: number }[] = [];
  #events_to = 0;
  readonly #toggled = new Map<string, number>();
  /** What the city could not light, and when it tried last. */
  readonly #owed = new Map<string, number>();
  /** Since when the line is there and its log was taken in; null where it is not. */
  #linked_since: number | null = null;

  constructor(
    readonly world: World,
    readonly site: Site,
    readonly lamps: Lamps,
  ) {
    site.watch = {
      switched: (device, ask, now) => this.#switched(device, ask, now),
      ordered: (device, off_after_min) => this.#ordered(device, off_after_min),
      tried: (device, action, isDone) => {
        if (action === "on" && !isDone) this.#owed.set(device, site.now);
        else this.#owed.delete(device);
      },
      ticked: () => this.#look(),
    };
    lamps.rang = (device, at) => this.#rang(device, at);
  }

  toggled(device: string): void {
    this.#toggled.set(device, this.world.now);
  }

  cut(): void {
    this.#linked_since = null;
    if (this.site.isMisled()) this.#wrong("a plan was taken that is not the city's last");
  }

  /** Should nobody reach the lamp any more, it puts itself out: but for a person's ON, whose end nobody has planned. */
  #ordered(device: string, off_after_min: number | null): void {
    const { now } = this.site;
    const isToggle = now - (this.#toggled.get(device) ?? -Infinity) < TOGGLED_MS;
    const lamp = this.site.state.plan?.lamps.find((one) => one.device === device);
    if (off_after_min === null && lamp && !isToggle) this.#wrong(`${device} was lit by the city without a timer`);
  }

  /** While the city sees to it no timer puts out what is to burn. */
  #rang(device: string, at: number): void {
    const { plan } = this.site.state;
    const lamp = plan?.lamps.find((one) => one.device === device);
    const isLinked = this.#linked_since !== null && at - this.#linked_since > CAUGHT_UP_MS;
    if (plan && lamp && isLinked && at < plan.expires && isPlanned(lamp, at))
      this.#wrong(`${device} put itself out at ${new Date(at).toISOString()}, though it was to burn`);
  }

  /** By itself the agent lights nothing outside the plan, in the dark, by a guessed clock, or twice for one edge. */
  #switched(device: string, { action, off_after_min }: Switching, { isTrusted }: Now): void {
    if (action === "off") return;
    const { plan } = this.site.state;
    const { now } = this.site;
    const lamp = plan?.lamps.find((one) => one.device === device);
    const span = lamp?.on.find(([from, to]) => from <= now && now < to);
    if (!plan || !lamp || !span || now >= plan.expires) return this.#wrong(`${device} was lit outside the plan`);
    if (lamp.dark.some(([from, to]) => from <= now && now < to)) this.#wrong(`${device} was lit in the dark`);
    if (!isTrusted) this.#wrong(`${device} was lit by a clock that nobody had set`);
    const end = Math.min(span[1], plan.expires, now + (lamp.max_on_ms ?? Infinity));
    const burns_to = off_after_min === null ? Infinity : now + off_after_min * MINUTE_MS;
    const dark_at = Math.min(...lamp.dark.map(([from]) => from).filter((from) => from > now));
    if (burns_to < Math.min(end, dark_at) || burns_to === Infinity)
      this.#wrong(`${device} has a timer of ${off_after_min} min`);
    const edge = `${device}@${span[0]}`;
    const before = this.#lit.get(edge);
    const isAgain = before !== undefined && !this.lamps.touchedSince(device, before);
    if (isAgain && this.lamps.state(device) === "off") this.#wrong(`${device} was lit twice for one edge`);
    this.#lit.set(edge, now);
  }

  /** None burns on by the plan's end where the agent could put it out. */
  #look(): void {
    const { site, lamps } = this;
    const { now } = site;
    const isAble = site.state.mode === "alone" && site.isRunning && lamps.areHubsUp && site.time.isTrusted;
    if (!isAble) this.#able_since = now;
    else this.#noteAble(now);
    const { plan } = site.state;
    if (!plan || now - this.#able_since < SOON_MS) return;
    for (const lamp of plan.lamps) {
      const due = dueSince(lamp, plan.expires, now);
      const isOverdue = due !== null && now - due >= SOON_MS;
      const owed_since = this.#owed.get(lamp.device);
      if (owed_since !== undefined && lamps.touchedSince(lamp.device, owed_since)) this.#owed.delete(lamp.device);
      const isDue = isOverdue && (due > this.#able_since || this.#owed.has(lamp.device));
      if (isDue && lamps.state(lamp.device) === "off" && !lamps.touchedSince(lamp.device, due))
        this.#wrong(`${lamp.device} is dark, and to be lit by the plan since ${new Date(due).toISOString()}`);
      const last = lamps.last(lamp.device);
      if (last?.action !== "on" || last.by === "hand" || isPlannedLately(lamp, plan.expires, now)) continue;
      this.#wrong(`${lamp.device} is still lit, by the ${last.by} since ${new Date(last.at).toISOString()}`);
    }
  }

  #noteAble(now: number): void {
    const last = this.#able.at(-1);
    if (last?.from === this.#able_since) last.to = now;
    else this.#able.push({ from: this.#able_since, to: now });
  }

  /** Whether the plan has just asked for another state of any lamp, which takes its time. */
  isUnderWay(): boolean {
    const { now } = this.world;
    const { plan } = this.site.state;
    return (plan?.lamps ?? []).some((lamp) => isPlanned(lamp, now) !== isPlanned(lamp, now - IN_TURN_MS));
  }

  /** Some minutes after the line is back: nobody was told anything false, and every lamp is as the city wants it. */
  async settled(devices: string[], cut_at: number): Promise<void> {
    const { world } = this;
    await world.wire.drain();
    this.#linked_since = world.now;
    await this.#judgeLog();
    const { results } = await sql(
      "SELECT rowid, id, device_id, cause, note FROM scheduler_events WHERE org_id = ? AND rowid > ? ORDER BY rowid",
      world.org_id,
      this.#events_to,
    ).all<{ rowid: number; id: string; device_id: string; cause: string; note: string }>();
    for (const { rowid, id, device_id, cause, note } of results) {
      this.#events_to = rowid;
      if (cause === "missed") this.#wrong(`missed: ${id} ${note}`);
      if (cause === "skipped") await this.#judgeSkipped(id, device_id, cut_at);
    }
    const failed = await sql(
      `SELECT message FROM notifications WHERE org_id = ? AND message LIKE '%could not be switched%' AND created_at > ? LIMIT 1`,
      world.org_id,
      new Date(cut_at + SOON_MS).toISOString(), // before that its hub may have been away
    ).first<{ message: string }>();
    if (failed) this.#wrong(`told people: ${failed.message}`);
    for (const said of explain(world.context, devices)) {
      const isLit = this.lamps.state(said.device_id) === "on";
      const isWanted = said.state === "on" || said.reason === "external";
      if (isLit !== isWanted) this.#wrong(`${said.device_id} is ${isLit ? "lit" : "dark"}: ${said.sentence}`);
    }
  }

  /** Each switch that the agent did alone is on record once, also where it was told twice. */
  async #judgeLog(): Promise<void> {
    for (const table of ["scheduler_events", "device_events"]) {
      const row = await sql(
        `SELECT COUNT(*) AS told FROM ${table} WHERE org_id = ? AND id LIKE 'agent:%'`,
        this.world.org_id,
      ).first<{ told: number }>();
      if (row?.told !== this.site.switches)
        this.#wrong(`${this.site.switches} switches were done alone, and ${table} has ${row?.told}`);
    }
  }

  /**
   * `skipped:schedule:date:device:start`, of a schedule that is daily in UTC. One that was edited while the line was cut is lit
   * by the old plan, which says nothing of the new one. Of a lamp that burned on behind a dead hub nobody could know.
   */
  async #judgeSkipped(id: string, device: string, cut_at: number): Promise<void> {
    const [, schedule = "", date = ""] = id.split(":");
    const row = await sql("SELECT start_at, end_at, updated_at FROM schedules WHERE id = ?", schedule).first<{
      start_at: string;
      end_at: string;
      updated_at: string;
    }>();
    if (!row || Date.parse(row.updated_at) >= cut_at) return;
    const start = Date.parse(`${date}T${row.start_at.slice(11)}`);
    const end = start + Date.parse(row.end_at) - Date.parse(row.start_at);
    const isKnown =
      start < cut_at - SOON_MS || this.lamps.wasSwitchedOnIn(device, start, end) || this.#wasAbleIn(start, end);
    if (isKnown && this.lamps.wasLitIn(device, start, end)) this.#wrong(`${id} was lit, and is told to be skipped`);
  }

  #wasAbleIn(start: number, end: number): boolean {
    return this.#able.some(({ from, to }) => Math.min(to, end) - Math.max(from, start) >= SOON_MS);
  }

  #wrong(what: string): never {
    throw new Error(`${new Date(this.site.now).toISOString()} ${what}`);
  }
}

function isPlannedLately({ on, dark }: PlannedLamp, expires: number, now: number): boolean {
  const since = now - SOON_MS;
  if (since >= expires) return false;
  return on.some(([from, to]) => {
    if (from > now || to < since) return false;
    return !dark.some(([start, end]) => start <= Math.max(since, from) && end > Math.min(now, to));
  });
}

function isPlanned({ on, dark }: PlannedLamp, at: number): boolean {
  const isIn = ([from, to]: readonly [number, number]) => from <= at && at < to;
  return on.some(isIn) && !dark.some(isIn);
}

/** Since when the plan has lit the lamp without a break, and for less than the longest time; null where it does not. */
function dueSince(lamp: PlannedLamp, expires: number, now: number): number | null {
  if (now >= expires || !isPlanned(lamp, now)) return null;
  const starts = [...lamp.on.map(([from]) => from), ...lamp.dark.map(([, to]) => to)].filter((at) => at <= now);
  const due = Math.max(...starts);
  const [from = due] = lamp.on.find(([start, end]) => start <= now && now < end) ?? [];
  return now - from < (lamp.max_on_ms ?? Infinity) ? due : null;
}
