import { expect, test } from "vitest";
import { noteAccount } from "#durable/monitoring/throttling";
import { pingHub, testSwitch } from "#durable/requests/connectivity";
import { isAlive, noteHub } from "#durable/monitoring/circuit-breaker";
import { incident, openIncident } from "#durable/reporting/incidents";
import type { ProviderResult } from "#durable/providers/provider";
import { transact } from "#durable/state/context";
import { aCity, during, failSwitches, hubRow, snippets, spendAccount, vendorId } from "#tests/support/a-city";
import { inWorldOfLateRows as inWorld } from "#tests/support/engine";
import { aSchedule, aScheduleEach, events, messages, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;

test("a hub that answers for a silent lamp is back: it is online, and its other lamps are made good", async () => {
  const city = await aCity("ba", "local", 1, 2);
  const [dead = "", well = ""] = city.lamps;
  await aSchedule("ba", "ba1", at("18:00:00"), at("22:00:00"), { device: well });
  await inWorld(
    "ba",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("ba-hub0", { kind: "offline" });
      await world.to(at("18:02:00"));
      expect((await events("ba")).at(-1)).toBe("18:00:40 scheduler on fail 3");
      city.simulator.fault("ba-hub0");
      city.simulator.fault(vendorId(0), { kind: "offline" });
      await world.toggle(dead, "off");
      await world.to(at("18:03:00"));
      expect(city.isLit(well)).toBe(true);
      expect(await hubRow("ba-hub0")).toContain("online");
    },
    city.equip,
  );
});

test.each([
  ["local", "999999"],
  ["hybrid", "999999"],
  ["local", "010300"],
])(
  "%s, a hub whose lights answer readings and fail each switch by %s is not back with each reading",
  async (mode, code) => {
    const org = `half-${mode}-${code}`;
    const city = await aCity(org, mode, 1, 4);
    await setting(org, "WATCHDOG_ENABLED", true).run();
    await setting(org, "HUB_CHECK_INTERVAL_SEC", 180).run();
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:50:00"),
      async (world) => {
        await world.sync();
        await world.to(at("17:59:00"));
        const failing = failSwitches(city, code);
        await world.to(at("19:00:00"));
        // All of them with their retries, then one at a time, and each in the watchdog's turns, which are ever rarer.
        const ways = mode === "local" ? 1 : 2;
        expect(failing.asked).toBeGreaterThan(ways * 3 * 4);
        expect(failing.asked).toBeLessThan(ways * 3 * 4 * 12);
        expect((await messages(org)).length).toBeLessThanOrEqual(5);
        failing.end();
        await world.to(at("19:10:00"));
        expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      },
      city.equip,
    );
  },
);

test("a call that did not leave says nothing of its hub: the hub's return is still seen", async () => {
  const city = await aCity("nl", "cloud", 1, 1);
  const [lamp = ""] = city.lamps;
  await aSchedule("nl", "nl1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "nl",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      city.simulator.onlyByHub.add(vendorId(0));
      city.simulator.fault("nl-hub0", { kind: "offline" });
      await world.to(at("18:05:00"));
      expect((await events("nl")).at(-1)).toMatch(/scheduler on fail 3/);
      spendAccount(world);
      const ping = await during(world, pingHub(world.context, "nl-hub0"));
      expect(ping.result.success).toBe(false);
      await world.to(at("18:11:00"));
      city.simulator.fault("nl-hub0");
      await during(world, pingHub(world.context, "nl-hub0"));
      await world.to(at("18:12:00"));
      expect(city.isLit(lamp)).toBe(true);
    },
    city.equip,
  );
});

test("with no retries allowed, a hub's return is seen too", async () => {
  const city = await aCity("nr", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("nr", "RETRY_BACKOFFS_SEC", []).run();
  await aSchedule("nr", "nr1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "nr",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      city.simulator.fault("nr-hub0", { kind: "offline" });
      await world.to(at("18:05:00"));
      expect(await events("nr")).toEqual(["18:00:00 scheduler on fail 1"]);
      city.simulator.fault("nr-hub0");
      await during(world, pingHub(world.context, "nr-hub0"));
      await world.to(at("18:06:00"));
      expect(city.isLit(lamp)).toBe(true);
    },
    city.equip,
  );
});

test("one lamp that is broken keeps its hub's other lights from nothing, though it comes first each time", async () => {
  const city = await aCity("ol", "local", 1, 3);
  const [broken = "", ...others] = city.lamps;
  await aScheduleEach("ol", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "ol",
    at("17:50:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault(vendorId(0), { kind: "code", code: "010000" });
      for (let n = 0; n < 3; n += 1) await during(world, testSwitch(world.context, broken, "on"));
      await world.to(at("18:00:05"));
      expect(others.map(city.isLit)).toEqual([true, true]);
      await world.to(at("18:05:00"));
      expect((await messages("ol")).filter((message) => !message.includes(broken))).toEqual([]);
    },
    city.equip,
  );
});

test("nor does a broken strip, of which two lights have a socket each", async () => {
  const city = await aCity("bs", "local", 1, 4);
  const [one = "", other = "", ...others] = city.lamps;
  for (const [light, socket] of [[one, 2] as const, [other, 4] as const])
    await sql("UPDATE devices SET cloud_device_id = ? WHERE id = ?", `${vendorId(0)}#${socket}`, light).run();
  await aScheduleEach("bs", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "bs",
    at("17:50:00"),
    async (world) => {
      city.simulator.addLamp(vendorId(0), "Strip", "MultiOutlet", "bs-hub0", "YS6801-UC");
      await world.sync();
      city.simulator.fault(vendorId(0), { kind: "code", code: "010000" });
      for (const light of [one, other, one]) await during(world, testSwitch(world.context, light, "on"));
      await world.to(at("18:00:05"));
      expect(others.map(city.isLit)).toEqual([true, true]);
      expect((await snippets("bs")).filter((snippet) => snippet.includes("not sent"))).toEqual([]);
    },
    city.equip,
  );
});

test("what leaves each time just after two broken lamps, which pause their hub, is sent all the same", async () => {
  const city = await aCity("bl", "local", 1, 3);
  const [one = "", other = ""] = city.lamps;
  await aScheduleEach("bl", city.lamps, at("18:00:00"), at("22:00:00"));
  await setting("bl", "WATCHDOG_ENABLED", false).run();
  await setting("bl", "HUB_CHECK_INTERVAL_SEC", 86_400).run();
  await inWorld(
    "bl",
    at("17:50:00"),
    async (world) => {
      await world.sync();
      const breakThem = async () => {
        for (const n of [0, 1]) city.simulator.fault(vendorId(n), { kind: "code", code: "010000" });
        for (const lamp of [one, other]) await during(world, testSwitch(world.context, lamp, "on"));
      };
      await breakThem();
      await world.to(at("18:02:00"));
      expect(city.lamps.map(city.isLit)).toEqual([false, false, true]);
      for (const n of [0, 1]) city.simulator.fault(vendorId(n));
      for (const lamp of [one, other]) await world.toggle(lamp, "on");
      await world.to(at("21:50:00"));
      await breakThem();
      await world.to(at("22:02:00"));
      expect(city.lamps.map(city.isLit)).toEqual([true, true, false]);
      // Each was sent; what failed is left to the watchdog, which is off here.
      expect(world.storage.sql.exec("SELECT device_id FROM commands").toArray()).toEqual([]);
    },
    city.equip,
  );
});

test("of a dead hub each lamp's OFF is sent once at least, then it is left to the watchdog", async () => {
  const city = await aCity("dh", "local", 1, 5);
  await aScheduleEach("dh", city.lamps, at("18:00:00"), at("22:00:00"));
  await setting("dh", "WATCHDOG_ENABLED", false).run();
  await setting("dh", "HUB_CHECK_INTERVAL_SEC", 86_400).run();
  await inWorld(
    "dh",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      await world.to(at("21:59:00"));
      city.simulator.fault("dh-hub0", { kind: "offline" });
      await world.to(at("22:02:00"));
      // People are told of all of them on time, asked or not.
      const failed = (await events("dh")).filter((line) => line.includes("off fail"));
      expect(failed).toHaveLength(5);
      await world.to(at("22:10:00"));
      const asked =
        "SELECT COUNT(DISTINCT device_id) AS n FROM device_events WHERE org_id = 'dh' AND action = 'off' AND response_snippet NOT LIKE 'not sent%'";
      expect(await sql(asked).first("n")).toBe(5);
      expect(world.storage.sql.exec("SELECT device_id FROM commands").toArray()).toEqual([]);
    },
    city.equip,
  );
});

test("a person's toggle is sent to a hub whose queue is paused, and is the first to find it well", async () => {
  const city = await aCity("pp", "local", 1, 3);
  const [first = "", second = "", third = ""] = city.lamps;
  await aScheduleEach("pp", [first, second], at("18:00:00"), at("22:00:00"));
  await inWorld(
    "pp",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      city.simulator.fault("pp-hub0", { kind: "offline" });
      await world.to(at("18:00:02"));
      city.simulator.fault("pp-hub0");
      expect(await world.toggle(third, "on")).toMatchObject({ success: true, provider: "local" });
      expect(city.isLit(third)).toBe(true);
      // What waited for its next try meanwhile is not held up by the pause any more.
      await world.to(at("18:00:30"));
      expect([first, second].map(city.isLit)).toEqual([true, true]);
    },
    city.equip,
  );
});

test.each([
  ["local_client_secret", "mistyped", "local+secret/owa0-hub0=="],
  ["ip_address", "10.1.0.77", "10.1.0.1"],
])(
  "the OFF that a deleted light's lamp is owed goes the way that its hub is reached by then (%s)",
  async (column, wrong, right) => {
    const org = column === "ip_address" ? "owa1" : "owa0";
    const city = await aCity(org, "local", 1, 2);
    await aScheduleEach(org, city.lamps, at("18:00:00"), at("22:00:00"));
    await inWorld(
      org,
      at("17:55:00"),
      async (world) => {
        await world.sync();
        await world.to(at("19:00:00"));
        expect(city.lamps.map(city.isLit)).toEqual([true, true]);
        await sql(`UPDATE hubs SET ${column} = ? WHERE org_id = ?`, wrong, org).run();
        await world.sync();
        await world.to(at("19:05:00"));
        await sql("DELETE FROM devices WHERE id = ?", city.lamps[0] ?? "").run();
        await world.sync();
        await world.to(at("19:10:00"));
        expect(city.lamps.map(city.isLit)).toEqual([true, true]);
        await sql(`UPDATE hubs SET ${column} = ? WHERE org_id = ?`, right, org).run();
        await world.sync();
        await world.to(at("20:00:00"));
        expect(city.lamps.map(city.isLit)).toEqual([false, true]);
      },
      city.equip,
    );
  },
);

test("a call that died with its process is told of the way it went", async () => {
  const city = await aCity("di", "cloud", 1, 1);
  const [lamp = ""] = city.lamps;
  await aSchedule("di", "di1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "di",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      await world.to(at("18:00:00"));
      world.die();
      await world.restart(at("18:00:20"));
      await world.to(at("18:02:00"));
      expect(city.isLit(lamp)).toBe(true);
      expect((await snippets("di"))[0]).toBe("cloud | no answer: the call was lost");
    },
    city.equip,
  );
});

test("a hub that is renamed has not moved: nothing is sent, and what is under way goes on", async () => {
  const city = await aCity("rn", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await aSchedule("rn", "rn1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "rn",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      await world.to(at("18:00:03"));
      await sql("UPDATE hubs SET name = 'East hub' WHERE id = 'rn-hub0'").run();
      await world.sync();
      await world.to(at("18:05:00"));
      await sql("UPDATE devices SET model = 'YS5706-UC' WHERE id = ?", lamp).run();
      await world.sync();
      await world.to(at("18:10:00"));
      expect(await events("rn")).toEqual(["18:00:10 scheduler on ok 1"]);
      expect(city.simulator.journal.filter((e) => e.method === "Switch.setState")).toHaveLength(1);
    },
    city.equip,
  );
});

test("a test that the account could not carry has not lit the lamp, says how long, and is followed by nothing", async () => {
  const city = await aCity("tt", "cloud", 1, 1);
  const [lamp = ""] = city.lamps;
  await inWorld(
    "tt",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      spendAccount(world);
      const { action_result } = await during(world, testSwitch(world.context, lamp, "on"));
      expect(action_result).toEqual({
        success: false,
        provider: "cloud",
        error: "the cloud: the account's calls of these five minutes are used up for another 311 s",
      });
      await world.to(at("12:10:00"));
      expect(city.simulator.journal).toEqual([]);
      expect(await events("tt")).toEqual([]);
    },
    city.equip,
  );
});

test("the vendor says that the account's limit is reached, for others use it too: peace for a minute, then everything is lit", async () => {
  const city = await aCity("ot", "cloud", 4, 24);
  await aScheduleEach("ot", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "ot",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      city.simulator.limits.account = 12;
      await world.to(at("18:00:50"));
      const refused = city.simulator.journal.filter((e) => e.code === "010301");
      expect(refused.length).toBeGreaterThan(0);
      // One for each hand that was already out, and none after.
      expect(refused.length).toBeLessThanOrEqual(6);
      city.simulator.limits.account = 100;
      await world.to(at("18:12:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      expect((await events("ot")).filter((line) => /fail|retry/.test(line))).toEqual([]);
      expect(world.storage.sql.exec("SELECT incident FROM incidents").toArray()).toEqual([]);
      expect(await messages("ot")).toEqual([
        "account_throttled not_sent: Alarm: The cloud account's limit of calls is reached: lights are switched late.",
      ]);
    },
    city.equip,
  );
});

test("hybrid, the hub silent and the account at its limit: one incident, however often it is tried", async () => {
  const city = await aCity("hi", "hybrid", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("hi", "RETRY_BACKOFFS_SEC", [10, 30, 30, 30, 30, 30]).run();
  await aSchedule("hi", "hi1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "hi",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:00"));
      city.simulator.fault("hi-hub0", { kind: "silent" });
      city.simulator.limits.account = 0;
      await world.to(at("18:20:00"));
      expect((await messages("hi")).filter((line) => line.startsWith("account_throttled"))).toHaveLength(1);
    },
    city.equip,
  );
});

test("what is under way again is still held: its second refusal is no second incident", async () => {
  const city = await aCity("sr", "cloud", 2, 2);
  await aScheduleEach("sr", city.lamps, at("18:00:00"), at("22:00:00"));
  await inWorld(
    "sr",
    at("17:55:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:30"));
      spendAccount(world);
      await world.to(at("18:04:00"));
      city.simulator.fault(vendorId(0), { kind: "slow", ms: 3_000 }, { kind: "code", code: "010301" });
      await world.to(at("18:05:00"));
      city.simulator.fault(vendorId(0));
      await world.to(at("18:10:00"));
      expect(city.lamps.filter(city.isLit)).toEqual(city.lamps);
      expect((await messages("sr")).filter((line) => line.startsWith("account_throttled"))).toHaveLength(1);
    },
    city.equip,
  );
});

test("a lamp that can't be called as it is configured is told once, and no OFF is owed to it", async () => {
  const city = await aCity("rf", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await sql("UPDATE hubs SET local_client_secret = NULL WHERE org_id = 'rf'").run();
  await aSchedule("rf", "rf1", at("18:00:00"), at("20:00:00"), { device: lamp });
  await inWorld(
    "rf",
    at("17:59:00"),
    async (world) => {
      await world.sync();
      expect(await world.toggle(lamp, "on")).toMatchObject({
        success: false,
        detail: "Hub Hub 0 has no local credentials",
      });
      await world.to(at("20:10:00"));
      expect(await events("rf")).toEqual(["17:59:00 manual on fail 1", "18:00:00 scheduler on fail 1"]);
      expect(await messages("rf")).toHaveLength(1);
    },
    city.equip,
  );
});

const told = { provider: "cloud", http_status: 200, snippet: "cloud: so", rtt_ms: 5 } as const;
const fails = (reason: (ProviderResult & { ok: false })["reason"], more = {}): ProviderResult => ({
  ok: false,
  reason,
  detail: "so",
  failures: [{ where: reason === "device" ? "device" : "hub", reason }],
  ...told,
  ...more,
});

test.each([
  [{ ok: true, state: "on", ...told } as const, true],
  [fails("device"), true],
  [fails("timeout"), false],
  [fails("unreachable"), false],
  [fails("refused"), null],
  [fails("throttled"), null],
])("%o: the hub is alive: %s", async (answer, alive) => {
  expect(isAlive(answer)).toBe(alive);
  const org = `alive-${answer.ok ? "ok" : answer.reason}`;
  await inWorld(org, at("12:00:00"), async (world) => {
    const note = (of: ProviderResult) =>
      transact(world.context, () => noteHub(world.context, "hub:h", { lamp: "a", answer: of }));
    note(fails("timeout"));
    note(fails("timeout"));
    expect(note(answer)).toBe(alive === true);
    expect(note(answer)).toBe(false);
    const [row] = world.storage.sql.exec("SELECT failures FROM hub_trouble").toArray();
    expect(row?.failures ?? 0).toBe({ true: 0, false: 4, null: 2 }[String(alive)]);
  });
});

test("the account's trouble is none of a hub's, and over when the cloud answers, not when a device's own limit is met", async () => {
  await inWorld("account", at("12:00:00"), async (world) => {
    const note = (answer: ProviderResult, kind: "send" | "verify" | "poll_read" = "send") =>
      transact(world.context, () => {
        noteAccount(world.context, { kind }, answer);
        return incident(world.context, "account:cloud") !== null;
      });
    expect(note(fails("throttled", { limit: "account", provider: "local" }))).toBe(false);
    transact(world.context, () => openIncident(world.context, "account:cloud"));
    expect(note(fails("throttled", { limit: "device" }))).toBe(true);
    expect(note(fails("timeout", { provider: "local" }))).toBe(true);
    expect(note(fails("timeout"))).toBe(false);
    // Readings that wait make no light late.
    const atLimit = fails("throttled", { limit: "account", provider: "cloud" });
    expect([note(atLimit, "poll_read"), note(atLimit, "verify"), note(atLimit)]).toEqual([false, false, true]);
  });
});

test("an account that is over its limit every few minutes is told once in half an hour, or when it lasts", async () => {
  await inWorld("near", at("12:00:00"), async (world) => {
    await world.sync();
    const note = (answer: ProviderResult) =>
      transact(world.context, () => noteAccount(world.context, { kind: "send" }, answer));
    const atLimit = fails("throttled", { limit: "account", provider: "cloud" });
    for (const minute of ["00", "04", "08", "12", "16", "20", "24", "28"]) {
      await world.to(at(`12:${minute}:00`));
      note(atLimit);
      await world.to(at(`12:${minute}:30`));
      note({ ok: true, state: "on", ...told });
    }
    expect(await messages("near")).toHaveLength(1);
    await world.to(at("12:29:00"));
    note(atLimit);
    await world.to(at("12:39:00"));
    note(atLimit);
    await world.to(at("12:39:10"));
    expect(await messages("near")).toHaveLength(2);
  });
});

test("lights whose hub goes away say so, those that failed before it was known to be away, too", async () => {
  const city = await aCity("gone", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("gone", "HUB_CHECK_INTERVAL_SEC", 180).run();
  await setting("gone", "HUB_OFFLINE_ALERT_MIN", 30).run();
  await setting("gone", "WATCHDOG_ENABLED", false).run();
  await aSchedule("gone", "gone1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "gone",
    at("17:50:00"),
    async (world) => {
      await world.sync();
      await world.to(at("17:59:55"));
      city.simulator.fault("gone-hub0", { kind: "offline" });
      await world.to(at("18:06:00"));
      const { problem } = (await sql("SELECT problem FROM devices WHERE id = ?", lamp).first()) ?? {};
      expect(problem).toMatch(/^its hub is away/);
    },
    city.equip,
  );
});

test("a light is wrong since it should be otherwise, however long its hub has been away by then", async () => {
  const city = await aCity("longgone", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("longgone", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aSchedule("longgone", "longgone1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "longgone",
    at("14:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("14:10:00"));
      city.simulator.fault("longgone-hub0", { kind: "offline" });
      await world.to(at("17:59:00"));
      const wrong = () => sql("SELECT problem, problem_since FROM devices WHERE id = ?", lamp).first();
      expect(await wrong()).toEqual({ problem: null, problem_since: null });
      await world.to(at("18:05:00"));
      expect(await wrong()).toEqual({
        problem: expect.stringMatching(/^its hub is away since 2:1\d PM/),
        problem_since: expect.stringMatching(/^2026-06-10T18:0/),
      });
    },
    city.equip,
  );
});

test("a shorter time between two looks at a hub holds at once, not after the longer one", async () => {
  const city = await aCity("sooner", "local", 1, 1);
  await setting("sooner", "HUB_CHECK_INTERVAL_SEC", 86_400).run();
  await inWorld(
    "sooner",
    at("12:00:00"),
    async (world) => {
      await world.sync();
      await world.to(at("12:10:00"));
      await setting("sooner", "HUB_CHECK_INTERVAL_SEC", 60).run();
      await world.sync();
      city.simulator.fault("sooner-hub0", { kind: "offline" });
      await world.to(at("12:14:00"));
      const row = await sql("SELECT status FROM hubs WHERE id = 'sooner-hub0'").first();
      expect(row).toEqual({ status: "offline" });
    },
    city.equip,
  );
});

test("a hub that comes and goes every few minutes is told of once in half an hour, or when it stays away", async () => {
  const city = await aCity("flaps", "local", 1, 1);
  await setting("flaps", "HUB_CHECK_INTERVAL_SEC", 30).run();
  await setting("flaps", "HUB_OFFLINE_ALERT_MIN", 1).run();
  await inWorld(
    "flaps",
    at("12:00:00"),
    async (world) => {
      const isThere = (is: boolean) => city.simulator.fault("flaps-hub0", ...(is ? [] : [{ kind: "silent" as const }]));
      const flap = async (until: string) => {
        while (world.now < Date.parse(at(until))) {
          isThere(false);
          await world.to(world.now + 150_000);
          isThere(true);
          await world.to(world.now + 60_000);
        }
      };
      const told = async () => (await messages("flaps")).map((message) => message.split(" ")[0]);
      const once = ["hub_offline", "hub_back"];
      await world.sync();
      await flap("12:20:00");
      expect(await told()).toEqual(once);
      await flap("12:40:00");
      expect(await told()).toEqual([...once, ...once]);
      isThere(false);
      await world.to(world.now + 17 * 60_000);
      expect(await told()).toEqual([...once, ...once, "hub_offline"]);
    },
    city.equip,
  );
});

test("a light that is tried again and again is wrong since the first time, whatever is wrong with it by then", async () => {
  const city = await aCity("steady", "local", 1, 1);
  const [lamp = ""] = city.lamps;
  await setting("steady", "HUB_CHECK_INTERVAL_SEC", 60).run();
  await aSchedule("steady", "steady1", at("18:00:00"), at("22:00:00"), { device: lamp });
  await inWorld(
    "steady",
    at("17:50:00"),
    async (world) => {
      await world.sync();
      await world.to(at("18:00:00"));
      city.simulator.fault("steady-hub0", { kind: "offline" });
      const told = new Map<unknown, unknown>();
      while (world.now < Date.parse(at("18:10:00"))) {
        await world.to(world.now + 2_000);
        const row = await sql("SELECT problem, problem_since FROM devices WHERE id = ?", lamp).first();
        if (row?.["problem"]) told.set(row["problem"], row["problem_since"]);
      }
      expect(told.size).toBeGreaterThan(1);
      expect(new Set(told.values()).size).toBe(1);
    },
    city.equip,
  );
});
