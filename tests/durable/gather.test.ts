import { expect, test } from "vitest";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyBack, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { transact } from "#durable/state/context";
import type { Sent } from "#durable/providers/messenger";
import { notifyPerson } from "#durable/reporting/notify";
import { inWorld, type World } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";
import { texting } from "#tests/support/texting";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const DOWN: Sent = { ok: false, again: true, detail: "the SMS service did not answer" };
const REFUSED: Sent = { ok: false, again: false, detail: "the SMS service answered 400 (code 21211)" };
const COME_TOGETHER = "All of them are under Alarms.";

async function aCity(org_id: string, recipients: string): Promise<void> {
  await aField(org_id);
  await setting(org_id, "NOTIFY_SMS_TO", recipients).run();
}

function raise({ context }: World, name: string, text: string, kind: "hub_offline" | "device_failed" = "hub_offline") {
  transact(context, () => {
    openIncident(context, `city:${name}`);
    notifyOnce(context, `city:${name}`, kind, text, { what: "Away", why: "no answer", about: WHOLE_CITY });
  });
}

function back({ context }: World, name: string, text: string): void {
  transact(context, () => {
    const over = closeIncident(context, `city:${name}`);
    if (over) notifyBack(context, [over], "hub_back", text);
  });
}

const hubs = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i));
const away = (world: World, names: string[]) => names.forEach((name) => raise(world, name, `Hub ${name} is away.`));

/** How many messages have come to each end: { sent: 3 }. */
async function fates(org_id: string): Promise<Record<string, number>> {
  const { results } = await sql(
    "SELECT status, COUNT(*) AS n FROM notifications WHERE org_id = ? GROUP BY status",
    org_id,
  ).all<{ status: string; n: number }>();
  return Object.fromEntries(results.map(({ status, n }) => [status, n]));
}

function nothingIsLeft({ storage }: World): void {
  const left = storage.sql
    .exec("SELECT (SELECT COUNT(*) FROM messages) + (SELECT COUNT(*) FROM timers WHERE kind = 'message') AS n")
    .one();
  expect(left).toEqual({ n: 0 });
}

test("of many messages at once five come by themselves, and the others as one every five minutes", async () => {
  await aCity("a", "+13105550101,+13105550102");
  await inWorld("a", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    away(world, hubs(1, 40));
    raise(world, "lamp", "Mast 3 could not be switched on.", "device_failed");
    await world.to(at("12:04:00"));
    const early = texts.filter((text) => text.includes(" 01: "));
    expect(early).toHaveLength(5);
    for (const text of early) expect(text).toMatch(/^12:00 01: Alarm: Hub \d+ is away\.$/);
    // The other telephone may have had others.
    expect((await fates("a"))["pending"]).toBeGreaterThanOrEqual(36);

    await world.to(at("12:06:00"));
    away(world, hubs(41, 60));
    await world.to(at("13:00:00"));
    const [first, ...later] = texts.filter((text) => text.includes(" 01: ")).slice(5);
    expect(first?.replace(/Hub \d+/, "Hub N")).toBe(
      `12:05 01: 36 messages in one, since many came at once:\nAlarm: Mast 3 could not be switched on.\nAlarm: Hub N is away. And 34 more like it.\n${COME_TOGETHER}`,
    );
    expect(later).toEqual([
      `12:10 01: 20 messages in one, since many came at once:\nAlarm: Hub 41 is away. And 19 more like it.\n${COME_TOGETHER}`,
    ]);
    expect(texts.filter((text) => text.includes(" 02: "))).toHaveLength(7);
    expect(await fates("a")).toEqual({ sent: 61 });
    nothingIsLeft(world);
  });
});

test("a message after a quiet time comes by itself and at once, also the only one that waited", async () => {
  await aCity("b", "+13105550101");
  await inWorld("b", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    away(world, hubs(1, 6));
    await world.to(at("12:20:00"));
    away(world, ["7"]);
    await world.to(at("12:30:00"));
    expect(texts.slice(5)).toEqual(["12:05 01: Alarm: Hub 6 is away.", "12:20 01: Alarm: Hub 7 is away."]);
  });
});

test("a sixth message waits to the end of the five minutes of the first, and not longer", async () => {
  await aCity("six", "+13105550101");
  await inWorld("six", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    for (const name of hubs(1, 6)) {
      away(world, [name]);
      await world.to(world.now + 30_000);
    }
    await world.to(at("13:00:00"));
    expect(texts.map((text) => text.slice(0, 5))).toEqual(["12:00", "12:00", "12:01", "12:01", "12:02", "12:05"]);
  });
});

test("what is back again comes in the same message as that it was away, or after it", async () => {
  await aCity("c", "+13105550101");
  await inWorld("c", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    away(world, hubs(1, 8));
    await world.to(at("12:01:00"));
    for (const name of hubs(1, 8)) back(world, name, `Hub ${name} is back.`);
    await world.to(at("13:00:00"));
    expect(texts.slice(5)).toEqual([
      `12:05 01: 11 messages in one, since many came at once:\nAlarm: Hub 6 is away. And 2 more like it.\nHub 1 is back. And 7 more like it.\n${COME_TOGETHER}`,
    ]);
    expect(await fates("c")).toEqual({ sent: 16 });
  });
});

test("where the one message does not leave it is tried again, and at last told of each that it was not sent", async () => {
  await aCity("d", "+13105550101");
  await inWorld("d", at("12:00:00"), async (world) => {
    await world.sync();
    const tried: string[] = [];
    const alone = Array.from({ length: 5 }, (): Sent => ({ ok: true }));
    const answers: Sent[] = [...alone, DOWN, DOWN];
    world.context.sms = async (_, text) => {
      tried.push(`${new Date(world.now).toISOString().slice(11, 16)} ${text.slice(0, 11)}`);
      return answers.shift() ?? { ok: true };
    };
    away(world, hubs(1, 30));
    await world.to(at("12:04:00"));
    await world.to(at("13:00:00"));
    expect(tried.slice(5)).toEqual(["12:05 25 messages", "12:05 25 messages", "12:07 25 messages"]);
    expect(await fates("d")).toEqual({ sent: 30 });

    answers.push(...alone, ...Array.from({ length: 4 }, () => DOWN));
    away(world, hubs(31, 60));
    await world.to(at("15:00:00"));
    expect(tried).toHaveLength(5 + 3 + 5 + 4);
    expect(await fates("d")).toEqual({ sent: 35, failed: 25 });
    nothingIsLeft(world);

    answers.push(...alone, REFUSED);
    away(world, hubs(61, 90));
    await world.to(at("18:00:00"));
    expect(tried).toHaveLength(5 + 3 + 5 + 4 + 5 + 1);
    expect(await fates("d")).toEqual({ sent: 40, failed: 50 });
    nothingIsLeft(world);
  });
});

test("a message that reaches one of two addresses names the other, once", async () => {
  await aCity("g", "+13105550101,+13105550109");
  await inWorld("g", at("12:00:00"), async (world) => {
    await world.sync();
    world.context.sms = async (to) => (to.endsWith("9") ? DOWN : { ok: true });
    away(world, hubs(1, 20));
    await world.to(at("14:00:00"));
    const { results } = await sql("SELECT DISTINCT detail FROM notifications WHERE org_id = 'g'").all();
    expect(results).toEqual([{ detail: "not sent to +13105550109: the SMS service did not answer" }]);
    expect(await fates("g")).toEqual({ failed: 20 });
    nothingIsLeft(world);
  });
});

test("a crash while the one message leaves repeats that one at most, and loses nothing", async () => {
  await aCity("e", "+13105550101");
  await inWorld("e", at("12:00:00"), async (world) => {
    await world.sync();
    texting(world);
    away(world, hubs(1, 30));
    await world.to(at("12:04:59"));
    world.context.sms = () => new Promise((done) => world.context.after(8_000, () => done(DOWN)));
    await world.to(at("12:05:03"));
    world.die();
    await world.restart(at("12:05:04"));
    const texts = texting(world);
    await world.to(at("13:00:00"));
    expect(texts.map((text) => text.slice(10, 21))).toEqual(["25 messages"]);
    expect(await fates("e")).toEqual({ sent: 30 });
    nothingIsLeft(world);
  });
});

test("messages that wait by a clock which is hours ahead do not wait for those hours once it is right", async () => {
  await aCity("f", "+13105550101");
  await inWorld("f", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    world.skew_ms = 8 * 3_600_000;
    away(world, hubs(1, 30));
    await world.to(at("12:01:00"));
    world.skew_ms = 0;
    await world.sync();
    await world.to(at("12:30:00"));
    expect(texts.length).toBeGreaterThan(5);
    expect(await fates("f")).toEqual({ sent: 30 });
    nothingIsLeft(world);
  });
});

const [ANN, BOB] = ["+13105550101", "+13105550109"];

function toPerson({ context }: World, names: string[], to: string[]): void {
  transact(context, () => {
    for (const name of names) notifyPerson(context, `digest:${name}`, "digest", `Light ${name} fails.`, to);
  });
}

/** 'failed: not sent to ...' of one message. */
async function fate(org_id: string, name: string): Promise<string> {
  const { status, detail } = {
    ...(await sql("SELECT * FROM notifications WHERE id = ?", `${org_id}:digest:${name}:digest`).first()),
  };
  return `${String(status)}: ${String(detail)}`;
}

test("what has come with others does not come again where another address keeps it in the queue", async () => {
  await aCity("h", "");
  await inWorld("h", at("12:00:00"), async (world) => {
    await world.sync();
    const texts: string[] = [];
    world.context.sms = async (to, text) => {
      if (to === BOB) return DOWN;
      texts.push(text);
      return { ok: true };
    };
    toPerson(world, hubs(1, 7), [ANN]);
    await world.to(at("12:00:01"));
    toPerson(world, ["both"], [ANN, BOB]);
    await world.to(at("12:11:00"));
    expect(texts[5]).toMatch(/^3 messages in one/);
    toPerson(world, ["later"], [ANN]);
    await world.to(at("13:00:00"));
    expect(texts.slice(6)).toEqual(["Light later fails."]);
    expect(await fate("h", "both")).toBe(`failed: not sent to ${BOB}: the SMS service did not answer`);
    nothingIsLeft(world);
  });
});

test("what was refused with others is not told as sent where the next ones went", async () => {
  await aCity("i", "");
  await inWorld("i", at("12:00:00"), async (world) => {
    await world.sync();
    let answer: Sent = { ok: true };
    world.context.sms = async (to) => (to === BOB ? DOWN : answer);
    toPerson(world, hubs(1, 7), [ANN]);
    await world.to(at("12:00:01"));
    toPerson(world, ["both"], [ANN, BOB]);
    await world.to(at("12:04:00"));
    answer = REFUSED;
    await world.to(at("12:06:00"));
    answer = { ok: true };
    toPerson(world, hubs(8, 9), [ANN]);
    await world.to(at("13:00:00"));
    expect(await fate("i", "8")).toBe("sent: null");
    expect(await fate("i", "both")).toContain(`${ANN}: the SMS service answered 400 (code 21211)`);
    nothingIsLeft(world);
  });
});

test("what came before the last try of the one message has tries of its own", async () => {
  await aCity("j", ANN);
  await inWorld("j", at("12:00:00"), async (world) => {
    await world.sync();
    let answer: Sent = { ok: true };
    const texts: string[] = [];
    world.context.sms = async (_, text) => {
      if (answer.ok) texts.push(text);
      return answer;
    };
    away(world, hubs(1, 20));
    await world.to(at("12:04:00"));
    answer = DOWN;
    await world.to(at("12:17:00"));
    away(world, hubs(21, 30));
    await world.to(at("12:18:00"));
    answer = { ok: true };
    await world.to(at("13:00:00"));
    expect(await fates("j")).toEqual({ sent: 15, failed: 15 });
    expect(texts.slice(5).map((text) => text.slice(0, 22))).toEqual(["10 messages in one, si"]);
    nothingIsLeft(world);
  });
});

test("an address whose turn comes after others' has as many tries as they", async () => {
  const people = hubs(1, 5).map((n) => `+1310555010${n}`);
  await aCity("k", "");
  await inWorld("k", at("12:00:00"), async (world) => {
    await world.sync();
    const answers: Sent[] = [];
    world.context.sms = async (to) => (to === people[4] ? answers.shift() : undefined) ?? { ok: true };
    for (const [minute, to] of people.entries()) {
      toPerson(
        world,
        hubs(1, minute === 4 ? 5 : 6).map((n) => `${n} of ${minute}`),
        [to],
      );
      await world.to(at(minute === 4 ? "12:04:30" : `12:0${minute + 1}:10`));
    }
    toPerson(world, ["all"], people);
    await world.to(at("12:08:30"));
    answers.push(DOWN);
    await world.to(at("13:00:00"));
    expect(answers).toEqual([]);
    expect(await fate("k", "all")).toBe("sent: null");
    nothingIsLeft(world);
  });
});

test("a message that the release before has made is sent after others have gone as one", async () => {
  await aCity("l", "");
  await inWorld("l", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    toPerson(world, hubs(1, 8), [ANN]);
    await world.to(at("12:07:00"));
    expect(texts).toHaveLength(6);
    for (const [name, clock] of [
      ["soon", "12:16:00"],
      ["much later", "18:00:00"],
    ] as const) {
      toPerson(world, [name], [ANN]);
      world.storage.sql.exec("UPDATE messages SET body = json_remove(body, '$.seq', '$.failures')");
      await world.to(at(clock));
    }
    expect(texts.slice(6)).toEqual(["12:10 01: Light soon fails.", "12:16 01: Light much later fails."]);
    nothingIsLeft(world);
  });
});

test("many that the release before has made come as one, too", async () => {
  await aCity("m", ANN);
  await inWorld("m", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    away(world, hubs(1, 30));
    world.storage.sql.exec("UPDATE messages SET body = json_remove(body, '$.seq', '$.failures', '$.isEnd')");
    await world.to(at("13:00:00"));
    expect(texts.slice(5).map((text) => text.slice(0, 20))).toEqual(["12:05 01: 25 message"]);
    expect(await fates("m")).toEqual({ sent: 30 });
    nothingIsLeft(world);
  });
});

test("two at once, long after there were many, come by themselves", async () => {
  await aCity("n", ANN);
  await inWorld("n", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    away(world, hubs(1, 8));
    await world.to(at("15:00:00"));
    away(world, hubs(9, 10));
    await world.to(at("16:00:00"));
    expect(texts.slice(6).toSorted()).toEqual(["15:00 01: Alarm: Hub 10 is away.", "15:00 01: Alarm: Hub 9 is away."]);
    nothingIsLeft(world);
  });
});

test("a process that dies at any step of the one message loses nothing, and repeats it once at most", async () => {
  for (let step = 1; step <= 24; step += 1) {
    const org_id = `step-${step}`;
    await aCity(org_id, "");
    await inWorld(org_id, at("12:00:00"), async (world) => {
      await world.sync();
      const before = texting(world);
      toPerson(world, hubs(1, 9), [ANN, BOB]);
      await world.to(at("12:04:59"));
      expect(before).toHaveLength(10);
      const texts = texting(world);
      world.dieAfter(step, 30_000);
      await world.to(at("12:05:20"));
      const after = texting(world);
      await world.to(at("14:00:00"));
      const later = [...texts, ...after].map((text) => text.slice(6));
      // Two may be on their way at once, one to each.
      for (const text of later) expect(later.filter((other) => other === text).length).toBeLessThanOrEqual(2);
      expect(new Set(later).size, `step ${step}: ${later.join(" | ")}`).toBe(2);
      expect(await fates(org_id), `step ${step}`).toEqual({ sent: 9 });
      nothingIsLeft(world);
    });
  }
});
