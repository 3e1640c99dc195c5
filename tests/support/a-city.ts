import { env } from "cloudflare:test";
import { selectProviders } from "#durable/providers/select";
import { agentName } from "#durable/state/agent-links";
import { settingsOf } from "#durable/state/plan";
import type { Equip, World } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";
import { postTo } from "#tests/yolink/post";
import type { Fault, Told } from "#tests/yolink/packets";
import { Simulator } from "#tests/yolink/simulator";

export type City = { simulator: Simulator; equip: Equip; lamps: string[]; isLit: (lamp: string) => boolean };

/** Lamps on hubs in D1 and the same lamps in the simulator, on the world's clock. */
export async function aCity(org_id: string, mode: string, hubs: number, lamps: number): Promise<City> {
  const ids = Array.from({ length: lamps }, (_, i) => `${org_id}-${String(i).padStart(3, "0")}`);
  await aField(org_id, ids);
  const place = new Map(ids.map((id, i) => [id, { hub: `${org_id}-hub${i % hubs}`, device: vendorId(i) }]));
  const hub_ids = Array.from({ length: hubs }, (_, n) => `${org_id}-hub${n}`);
  // All in one batch, because each batch waits for the disk.
  await env.DB.batch([
    sql("DELETE FROM hubs WHERE org_id = ?", org_id),
    ...hub_ids.map((id, n) =>
      sql(
        `INSERT INTO hubs (id, org_id, area_id, name, ip_address, local_client_id, local_client_secret)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        id,
        org_id,
        `${org_id}-area`,
        `Hub ${n}`,
        `10.1.0.${n + 1}`,
        `client-${id}`,
        `local+secret/${id}==`,
      ),
    ),
    ...[...place].map(([id, { hub, device }]) =>
      sql("UPDATE devices SET hub_id = ?, cloud_device_id = ? WHERE id = ?", hub, device, id),
    ),
    setting(org_id, "PROVIDER_MODE", mode),
    setting(org_id, "YOLINK_UAC_KEY", "uac.ua_0123456789ABCDEF:sec_v1_simulated+secret/42=="),
  ]);

  let made: Simulator | null = null;
  const build = (now: () => number, after: Parameters<Equip>[2]) => {
    const wait = (ms: number) => new Promise<void>((done) => after(ms, done));
    // 1 s a command, less for a wired call.
    const simulator = new Simulator({ now, wait, random: () => 0, scale: 1.25 });
    for (let n = 0; n < hubs; n += 1) simulator.addHub(`${org_id}-hub${n}`, `Hub ${n}`);
    for (const [id, { hub, device }] of place) simulator.addLamp(device, id, "Switch", hub);
    return simulator;
  };
  const city = {
    get simulator() {
      if (!made) throw new Error("the world has not begun");
      return made;
    },
    equip: (...[store, now, after, agents]: Parameters<Equip>) => {
      // The process may die; the hardware outlives it.
      const simulator = (made ??= build(now, after));
      const doorOf = (base: string) => {
        const n = /^http:\/\/10\.1\.0\.(\d+):1080$/.exec(base)?.[1];
        return n ? `${org_id}-hub${Number(n) - 1}` : "cloud";
      };
      const unseal = (sealed: string) => Promise.resolve(sealed);
      const post = postTo(simulator, doorOf, after);
      return selectProviders(
        {
          sql: store,
          now,
          after,
          settings: () => settingsOf(store),
          agents,
          nameOf: (agent_id) => agentName(store, agent_id, now()),
        },
        { settings_key: "", demo: false, direct_hubs: true, post, seal: unseal, unseal },
      );
    },
    lamps: ids,
    isLit: (lamp: string) => city.simulator.lamps.get(place.get(lamp)?.device ?? "")?.isLit ?? false,
  };
  return city;
}

export function vendorId(i: number): string {
  return `d88b4c01${i.toString(16).padStart(8, "0")}`;
}

/** Gives each lamp this fault, or makes each well. */
export function faultLamps({ simulator }: Pick<City, "simulator">, ...faults: Fault[]): void {
  for (const { id } of simulator.lamps.values()) simulator.fault(id, ...faults);
}

/**
 * From now on each switch is answered with a vendor's `code`, or by a gateway's page, at one door or at all, and not done;
 * readings are as ever. `asked` counts them, `end` ends it.
 */
export function failSwitches({ simulator }: Pick<City, "simulator">, code: string | null, at?: "cloud") {
  const answer = simulator.ask.bind(simulator);
  const headers = {};
  const said: Told =
    code === null
      ? { status: 502, headers, body: "<html>" }
      : { status: 200, headers, body: JSON.stringify({ code, data: {} }) };
  const failing = { asked: 0, end: () => void (simulator.ask = answer) };
  simulator.ask = (door, call) => {
    if (!call.body.includes(".setState") || (at ?? door) !== door) return answer(door, call);
    failing.asked += 1;
    return Promise.resolve(said);
  };
  return failing;
}

/** Lights elsewhere made that many calls at an instant (epoch ms); of 98 the cloud account has nothing left for five minutes. */
export function spendAccount(world: World, at_ms = world.now, calls = 98): void {
  for (let n = 0; n < calls; n += 1)
    world.storage.sql.exec("INSERT INTO calls_made (bucket, at) VALUES ('uac:ua_0123456789ABCDEF', ?)", at_ms);
}

export async function snippets(org_id: string): Promise<string[]> {
  const { results } = await sql(
    "SELECT provider, response_snippet FROM device_events WHERE org_id = ? ORDER BY created_at, rowid",
    org_id,
  ).all<{ provider: string; response_snippet: string }>();
  return results.map((e) => `${e.provider} | ${e.response_snippet}`);
}

/** Runs the clock until the work is done. */
export async function during<T>(world: World, work: Promise<T>): Promise<T> {
  let isOver = false;
  void work.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await world.to(world.now + 50);
    await world.calm();
  }
  return work;
}

export async function hubRow(id: string): Promise<string> {
  const row = await sql("SELECT status, last_seen, rtt_ms FROM hubs WHERE id = ?", id).first();
  return Object.values(row ?? {}).join(" ");
}
