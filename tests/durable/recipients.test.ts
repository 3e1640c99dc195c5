import { expect, test } from "vitest";
import type { AlarmKind } from "#domain/enums";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyBack, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { transact } from "#durable/state/context";
import { keptStore } from "#durable/state/kept";
import { timerDueAt } from "#durable/state/timers";
import { testMessage } from "#durable/requests/test-message";
import { inWorld, type World } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";
import { texting } from "#tests/support/texting";

const at = (clock: string, day = 10) => `2026-06-${day}T${clock}Z`;
/** In Los Angeles it is 23:00, and 06:00 at the second. */
const NIGHT = at("06:00:00");
const MORNING = at("13:00:00");
const DAY = at("20:00:00");

async function aCity(org_id: string): Promise<void> {
  await aField(org_id);
  await setting(org_id, "APP_TIMEZONE", "America/Los_Angeles").run();
  await setting(org_id, "NOTIFY_SMS_TO", "").run();
}

type Choice = { quiet?: boolean; other_by?: string; role?: string; left_out?: AlarmKind[] };

/** Somebody with a phone that ends with `number`, who hears of everything by SMS. */
async function aPerson(
  org_id: string,
  number: string,
  { quiet = true, other_by = '["sms"]', role = "employee", left_out = [] }: Choice = {},
): Promise<string> {
  const id = `${org_id}-${number}`;
  await sql("INSERT INTO users (id, email, password_hash) VALUES (?1, ?1 || '@city.example', '')", id).run();
  await sql("INSERT INTO org_memberships (org_id, user_id, role) VALUES (?, ?, ?)", org_id, id, role).run();
  await sql(
    `INSERT INTO message_choices (org_id, user_id, phone, urgent_by, other_by, left_out, quiet_from, quiet_to)
     VALUES (?, ?, ?, '["sms"]', ?, ?, ?, ?)`,
    org_id,
    id,
    `+131055501${number}`,
    other_by,
    JSON.stringify(left_out),
    quiet ? "22:00" : null,
    quiet ? "06:00" : null,
  ).run();
  return id;
}

function raise({ context }: World, name: string, kind: AlarmKind, text: string, about = WHOLE_CITY): void {
  transact(context, () => {
    openIncident(context, name);
    notifyOnce(context, name, kind, text, { what: "Wrong", why: "it is so", about });
  });
}

function back({ context }: World, name: string, text: string): void {
  transact(context, () => {
    const over = closeIncident(context, name);
    if (over) notifyBack(context, [over], "plan_taken", text);
  });
}

/** What is left of held messages and their timers. */
function left(world: World): number {
  const rows = `SELECT (SELECT COUNT(*) FROM held_messages) + (SELECT COUNT(*) FROM held_counts)
    + (SELECT COUNT(*) FROM timers WHERE kind = 'digest') AS n`;
  return Number(world.storage.sql.exec(rows).one()["n"]);
}

async function fates(org_id: string): Promise<string[]> {
  const { results } = await sql(
    "SELECT kind, status, detail FROM notifications WHERE org_id = ? ORDER BY created_at, rowid",
    org_id,
  ).all<Record<"kind" | "status" | "detail", string>>();
  return results.map(({ kind, status, detail }) => `${kind} ${status}: ${detail}`);
}

test("an urgent alarm is told at night, another waits for the morning, in one message and once", async () => {
  await aCity("re-a");
  await aPerson("re-a", "01");
  await aPerson("re-a", "02", { quiet: false });
  await inWorld("re-a", NIGHT, async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world, "city:silent", "cloud_offline", "The cloud is silent.");
    raise(world, "external:1", "light_on", "Court 1 is lit.");
    raise(world, "external:2", "light_on", "Court 2 is lit.");
    raise(world, "city:busy", "account_throttled", "Calls wait.");
    transact(world.context, () => closeIncident(world.context, "external:1"));
    await world.to(at("07:00:00"));
    const numbers = texts.map((text) => text.slice(0, 8)).toSorted();
    expect(numbers).toEqual(["06:00 01", "06:00 02", "06:00 02", "06:00 02", "06:00 02"]);
    await world.to(at("12:59:00"));
    expect(texts).toHaveLength(5);
    await world.to(at("14:00:00"));
    expect(texts.slice(5)).toEqual([
      "13:00 01: 3 alarms in your quiet hours, 2 of them not over:\nCourt 2 is lit.\nCalls wait.\nOver by now: Court 1 is lit.",
    ]);
    expect((await fates("re-a")).at(-1)).toBe("digest sent: null");
    expect(left(world)).toBe(0);
  });
});

test("somebody whose number is in the settings, too, is told once", async () => {
  await aCity("re-twice");
  await aPerson("re-twice", "01", { quiet: false });
  await setting("re-twice", "NOTIFY_SMS_TO", "+13105550101").run();
  await inWorld("re-twice", DAY, async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world, "external:1", "light_on", "Court 1 is lit.");
    await world.to(at("20:01:00"));
    expect(texts).toEqual(["20:00 01: Alarm: Court 1 is lit."]);
  });
});

test("a digest outlives the death of its keeper before, at and after the end of the quiet hours", async () => {
  await aCity("re-b");
  await aPerson("re-b", "01");
  await inWorld("re-b", NIGHT, async (world) => {
    await world.sync();
    raise(world, "external:1", "light_on", "Court 1 is lit.");
    expect(await fates("re-b")).toEqual([]);
    world.die();
    await world.restart(at("06:30:00"));
    await world.to(at("12:59:58"));
    world.die();
    await world.restart(at("12:59:59"));
    world.context.sms = () =>
      new Promise((done) => world.context.after(8_000, () => done({ ok: false, again: true, detail: "silence" })));
    await world.to(at("13:00:03"));
    expect(left(world)).toBe(0);
    world.die();
    await world.restart(at("13:00:04"));
    const texts = texting(world);
    await world.to(at("13:01:30"));
    world.die();
    await world.restart(at("13:02:00"));
    const again = texting(world);
    await world.to(at("16:00:00"));
    expect(texts.map((text) => text.slice(6))).toEqual(["01: 1 alarm in your quiet hours, not over:\nCourt 1 is lit."]);
    expect(again).toEqual([]);
    expect(await fates("re-b")).toEqual([
      "light_on not_sent: not sent now: kept for the end of quiet hours",
      "digest sent: null",
    ]);
  });
});

test("what is over by the morning is not told", async () => {
  await aCity("re-c");
  await aPerson("re-c", "01");
  await inWorld("re-c", NIGHT, async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world, "external:1", "light_on", "Court 1 is lit.");
    transact(world.context, () => closeIncident(world.context, "external:1"));
    await world.to(at("14:00:00"));
    expect(texts).toEqual([]);
    expect(left(world)).toBe(0);
  });
});

test("an alarm and its end in one night are one alarm of the digest, and no message if there is no other", async () => {
  await aCity("re-one");
  await aPerson("re-one", "01");
  await inWorld("re-one", NIGHT, async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world, "agent_plan:1", "plan_refused", "Agent refuses its plan.");
    back(world, "agent_plan:1", "Agent has its plan again.");
    await world.to(at("14:00:00"));
    expect(texts).toEqual([]);
    await world.to(at("06:00:00", 11));
    raise(world, "agent_plan:1", "plan_refused", "Agent refuses its plan.");
    back(world, "agent_plan:1", "Agent has its plan again.");
    raise(world, "external:1", "light_on", "Court 1 is lit.");
    await world.to(at("14:00:00", 11));
    expect(texts).toEqual([
      "13:00 01: 2 alarms in your quiet hours, 1 of them not over:\nCourt 1 is lit.\nOver by now: Agent refuses its plan.",
    ]);
  });
});

test("whoever heard of an alarm hears that it is over, quiet hours or not, and nobody else does", async () => {
  await aCity("re-back");
  await aPerson("re-back", "01");
  const never = await aPerson("re-back", "02");
  await sql("UPDATE message_choices SET digest = 0 WHERE user_id = ?", never).run();
  await aPerson("re-back", "03", { left_out: ["plan_refused"] });
  await inWorld("re-back", at("04:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world, "agent_plan:1", "plan_refused", "Agent 1 refuses its plan.");
    await world.to(NIGHT);
    raise(world, "agent_plan:2", "plan_refused", "Agent 2 refuses its plan.");
    back(world, "agent_plan:1", "Agent 1 has its plan again.");
    await world.to(at("15:00:00"));
    back(world, "agent_plan:2", "Agent 2 has its plan again.");
    await world.to(at("16:00:00"));
    expect(texts).toEqual([
      "04:00 01: Alarm: Agent 1 refuses its plan.",
      "04:00 02: Alarm: Agent 1 refuses its plan.",
      "06:00 01: Agent 1 has its plan again.",
      "06:00 02: Agent 1 has its plan again.",
      "13:00 01: 1 alarm in your quiet hours, not over:\nAgent 2 refuses its plan.",
      "15:00 01: Agent 2 has its plan again.",
    ]);
  });
});

test("nobody hears of a light that their departments hide, nor once they have left", async () => {
  await aCity("re-d");
  await sql("INSERT INTO departments (id, org_id, name) VALUES ('re-d-sports', 're-d', 'Sports')").run();
  await sql("UPDATE devices SET dept_id = 're-d-sports' WHERE org_id = 're-d'").run();
  const member = await aPerson("re-d", "01");
  await aPerson("re-d", "02");
  await aPerson("re-d", "03", { role: "admin" });
  await aPerson("re-d", "04", { role: "admin", left_out: ["device_failed", "light_on"] });
  await sql(
    "INSERT INTO dept_memberships (id, org_id, dept_id, user_id, role) VALUES ('re-d-m', 're-d', 're-d-sports', ?, 'dept_staff')",
    member,
  ).run();
  await inWorld("re-d", NIGHT, async (world) => {
    await world.sync();
    const texts = texting(world);
    // Its department is the light's as it is now.
    const about = { ...WHOLE_CITY, device_id: "re-d-lamp", device_name: "Lamp" };
    raise(world, "device:re-d-lamp", "device_failed", "The lamp is dark.", about);
    raise(world, "external:re-d-lamp", "light_on", "The lamp is lit.", about);
    await world.to(at("07:00:00"));
    expect(texts.map((text) => text.slice(6, 8)).toSorted()).toEqual(["01", "03"]);
    await sql("UPDATE org_memberships SET active = 0 WHERE user_id = ?", member).run();
    await world.sync();
    raise(world, "city:silent", "cloud_offline", "The cloud is silent.");
    await world.to(at("14:00:00"));
    expect(texts.slice(2).map((text) => text.slice(6, 8))).toEqual(["02", "03", "04", "03"]);
    expect(left(world)).toBe(0);
  });
});

test("a digest names no light that went to a department which the person does not see", async () => {
  await aCity("re-gone");
  await sql("INSERT INTO departments (id, org_id, name) VALUES ('re-gone-sports', 're-gone', 'Sports')").run();
  await aPerson("re-gone", "01");
  await aPerson("re-gone", "02", { role: "admin" });
  await inWorld("re-gone", NIGHT, async (world) => {
    await world.sync();
    const texts = texting(world);
    const about = { ...WHOLE_CITY, device_id: "re-gone-lamp", device_name: "Lamp" };
    raise(world, "external:re-gone-lamp", "light_on", "The lamp is lit.", about);
    raise(world, "city:busy", "account_throttled", "Calls wait.");
    await sql("UPDATE devices SET dept_id = 're-gone-sports' WHERE org_id = 're-gone'").run();
    await world.sync();
    await world.to(at("14:00:00"));
    expect(texts.map((text) => text.slice(6)).toSorted()).toEqual([
      "01: 1 alarm in your quiet hours, not over:\nCalls wait.",
      "02: 2 alarms in your quiet hours, 2 of them not over:\nThe lamp is lit.\nCalls wait.",
    ]);
  });
});

test("whom the digest reaches at its second try hears only after it that something is over", async () => {
  await aCity("re-turn");
  await aPerson("re-turn", "01");
  await inWorld("re-turn", NIGHT, async (world) => {
    await world.sync();
    raise(world, "city:plan", "plan_refused", "Agent refuses its plan.");
    world.context.sms = async () => ({ ok: false, again: true, detail: "the SMS service did not answer" });
    await world.to(at("13:00:10"));
    const texts = texting(world);
    back(world, "city:plan", "Agent has its plan again.");
    await world.to(at("13:30:00"));
    expect(texts.map((text) => text.slice(6))).toEqual([
      "01: 1 alarm in your quiet hours, not over:\nAgent refuses its plan.",
      "01: Agent has its plan again.",
    ]);
  });
});

test("who makes the quiet hours shorter or longer hears at their new end", async () => {
  await aCity("re-e");
  await aPerson("re-e", "01");
  const late = await aPerson("re-e", "02");
  await inWorld("re-e", NIGHT, async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world, "external:1", "light_on", "Court 1 is lit.");
    await sql("UPDATE message_choices SET quiet_to = '03:00' WHERE user_id <> ?", late).run();
    await sql("UPDATE message_choices SET quiet_to = '08:00' WHERE user_id = ?", late).run();
    await world.sync();
    await world.to(at("16:00:00"));
    expect(texts.map((text) => text.slice(0, 8))).toEqual(["10:00 01", "15:00 02"]);
  });
});

test("an escalation reaches a person by all channels that they chose, and the list's address in any case", async () => {
  await aCity("re-f");
  const person = await aPerson("re-f", "01");
  await sql("UPDATE message_choices SET email = '01@home.example' WHERE user_id = ?", person).run();
  await setting("re-f", "ESCALATE_AFTER_MIN", 15).run();
  await setting("re-f", "ESCALATE_TO", "+13105550109,01@home.example").run();
  await setting("re-f", "EMAIL_PROVIDER", "postmark").run();
  await inWorld("re-f", NIGHT, async (world) => {
    await world.sync();
    texting(world);
    raise(world, "city:silent", "cloud_offline", "The cloud is silent.");
    await world.to(at("07:00:00"));
    const { results } = await sql(
      "SELECT recipients FROM notifications WHERE org_id = 're-f' ORDER BY created_at",
    ).all<{ recipients: string }>();
    expect(results.map(({ recipients }) => JSON.parse(recipients))).toEqual([
      ["+13105550101"],
      ["+13105550109"],
      ["01@home.example", "+13105550101"],
    ]);
  });
});

test("a person who is in the list by telephone and by e-mail is one step, and the next person is not told later for it", async () => {
  await aCity("re-two");
  const person = await aPerson("re-two", "01");
  await sql("UPDATE message_choices SET email = '01@home.example' WHERE user_id = ?", person).run();
  await sql(`UPDATE message_choices SET urgent_by = '["sms","email"]' WHERE user_id = ?`, person).run();
  await setting("re-two", "ESCALATE_AFTER_MIN", 15).run();
  await setting("re-two", "ESCALATE_TO", "+13105550101,01@home.example,+13105550109").run();
  await setting("re-two", "EMAIL_PROVIDER", "postmark").run();
  await inWorld("re-two", NIGHT, async (world) => {
    await world.sync();
    texting(world);
    raise(world, "city:silent", "cloud_offline", "The cloud is silent.");
    await world.to(at("09:00:00"));
    const { results } = await sql(
      "SELECT recipients FROM notifications WHERE org_id = 're-two' AND kind LIKE 'escalation%' ORDER BY created_at",
    ).all<{ recipients: string }>();
    expect(results.map(({ recipients }) => JSON.parse(recipients))).toEqual([
      ["+13105550101", "01@home.example"],
      ["+13105550109"],
    ]);
  });
});

test("a storm of alarms in quiet hours keeps some of each kind, counts all, and reads no more for the last", async () => {
  await aCity("re-g");
  await aPerson("re-g", "01");
  await inWorld("re-g", NIGHT, async (world) => {
    await world.sync();
    const texts = texting(world);
    for (let n = 0; n < 300; n += 1) raise(world, `external:${n}`, "light_on", `Court ${n} is lit.`);
    const { n } = world.storage.sql.exec("SELECT COUNT(*) AS n FROM held_messages").one();
    expect(n).toBe(50);
    await world.to(at("13:30:00"));
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain("300 alarms in your quiet hours, at least 50 of them not over:");
    expect(texts[0]).toMatch(/And 294 more\.$/);
  });
});

test("a city without alarms asks nothing and wakes for nobody", async () => {
  await aCity("re-h");
  await aPerson("re-h", "01");
  await inWorld("re-h", NIGHT, async (world) => {
    await world.sync();
    expect(timerDueAt(world.context.sql, "digest", "re-h-01")).toBeNull();
    const { sql: real } = world.storage;
    const asked: string[] = [];
    const exec = (statement: string, ...values: SqlStorageValue[]) => {
      asked.push(statement);
      return real.exec(statement, ...values);
    };
    world.context.sql = keptStore(Object.create(real, { exec: { value: exec } }));
    await world.to(MORNING);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((statement) => statement.includes("held_"))).toEqual([]);
  });
});

test("a test message goes out by each channel of the saved choice, whatever the hour", async () => {
  await aCity("re-i");
  const person = await aPerson("re-i", "01");
  await sql(`UPDATE message_choices SET urgent_by = '["sms","email"]' WHERE user_id = ?`, person).run();
  await inWorld("re-i", DAY, async (world) => {
    await world.sync();
    const texts = texting(world);
    const tested = testMessage(world.context, person);
    await world.to(at("20:00:05"));
    expect(await tested).toEqual({
      success: false,
      detail: "Sent to +13105550101. Not sent to re-i-01@city.example: e-mail is not configured.",
    });
    expect(texts).toEqual(["20:00 01: This is a test message of Lamplighter. Alarms will reach you here."]);
    expect(await testMessage(world.context, "somebody")).toMatchObject({ success: false });
  });
});
