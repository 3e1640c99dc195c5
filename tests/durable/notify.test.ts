import { expect, test } from "vitest";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyBack, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { notify } from "#durable/reporting/notify";
import { transact } from "#durable/state/context";
import type { Sent } from "#durable/providers/messenger";
import { inWorld, type World } from "#tests/support/engine";
import { aField, aSchedule, setting, sql } from "#tests/support/light";

const at = (clock: string) => `2026-06-10T${clock}Z`;
const DOWN: Sent = { ok: false, again: true, detail: "the SMS service did not answer" };
const REFUSED: Sent = { ok: false, again: false, detail: "the SMS service answered 400 (code 21211)" };

/** An SMS service that answers in turn as it is told, and then takes everything; each text as '12:00:00 +1310...'. */
function texting(world: World, ...answers: Sent[]): string[] {
  const texts: string[] = [];
  world.context.sms = async (to) => {
    texts.push(`${new Date(world.now).toISOString().slice(11, 19)} ${to}`);
    return answers.shift() ?? { ok: true };
  };
  return texts;
}

async function aCity(org_id: string, recipients: string): Promise<void> {
  await aField(org_id);
  await setting(org_id, "NOTIFY_SMS_TO", recipients).run();
}

/** What people read of the messages: 'sent 1: null'. */
async function fates(org_id: string): Promise<string[]> {
  const { results } = await sql(
    "SELECT status, attempts, detail FROM notifications WHERE org_id = ? ORDER BY created_at, rowid",
    org_id,
  ).all<{ status: string; attempts: number; detail: string | null }>();
  return results.map(({ status, attempts, detail }) => `${status} ${attempts}: ${detail}`);
}

function tell(world: World, incident: string): void {
  const text = "Hub A is offline.";
  const heard = { kind: "hub_offline" as const, dept_id: null, name: incident, since: world.now, text };
  transact(world.context, () => notify(world.context, incident, "hub_offline", text, heard));
}

test("a message goes to everybody once, the placeholder excepted, and is recorded as sent", async () => {
  await aCity("a", "+13105550101, +12025550123,+13105550102,+13105550101");
  await inWorld("a", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    tell(world, "hub:1");
    await world.to(at("13:00:00"));
    expect(texts).toEqual(["12:00:00 +13105550101", "12:00:00 +13105550102"]);
    expect(await fates("a")).toEqual(["sent 1: null"]);
    const row = await sql("SELECT recipients, sent_at FROM notifications WHERE org_id = 'a'").first();
    expect(row).toEqual({
      recipients: '["+13105550101","+12025550123","+13105550102"]',
      sent_at: at("12:00:00.001"),
    });
  });
});

test.each([
  ["b", "+12025550123", true, "not_sent 0: not sent: no recipient is set"],
  ["c", "", true, "not_sent 0: not sent: no recipient is set"],
  ["d", "+13105550101", false, "not_sent 0: not sent: SMS is not configured"],
])("%s: a message that goes to nobody is recorded with the reason", async (org_id, recipients, isConfigured, fate) => {
  await aCity(org_id, recipients);
  await inWorld(org_id, at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    if (!isConfigured) world.context.sms = null;
    tell(world, "hub:1");
    await world.to(at("13:00:00"));
    expect(texts).toEqual([]);
    expect(await fates(org_id)).toEqual([fate]);
  });
});

test("what may go better is tried again, later each time, and only for who has not got it", async () => {
  await aCity("e", "+13105550101,+13105550102");
  await inWorld("e", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world, { ok: true }, DOWN, DOWN);
    tell(world, "hub:1");
    await world.to(at("12:00:10"));
    expect(await fates("e")).toEqual(["pending 1: not sent yet to +13105550102: the SMS service did not answer"]);
    await world.to(at("13:00:00"));
    expect(texts.map((text) => text.slice(0, 5) + text.slice(-1))).toEqual(["12:001", "12:002", "12:002", "12:022"]);
    expect(await fates("e")).toEqual(["sent 3: null"]);
  });
});

test("nobody hears that a hub is back before they hear that it was away", async () => {
  await aCity("turn", "+13105550101,+13105550102");
  await inWorld("turn", at("12:00:00"), async (world) => {
    await world.sync();
    const { context } = world;
    const texts: string[] = [];
    const answers: Sent[] = [{ ok: true }, DOWN];
    context.sms = async (to, text) => {
      const sent = answers.shift() ?? { ok: true };
      if (sent.ok) texts.push(`${new Date(world.now).toISOString().slice(11, 16)} ${to.slice(-2)}: ${text}`);
      return sent;
    };
    transact(context, () => {
      openIncident(context, "city:hub");
      const words = { what: "Away", why: "the hub does not answer", about: WHOLE_CITY };
      notifyOnce(context, "city:hub", "hub_offline", "Hub A is offline.", words);
    });
    await world.to(at("12:00:10"));
    transact(context, () => {
      const over = closeIncident(context, "city:hub");
      if (over) notifyBack(context, [over], "hub_back", "Hub A is back.");
    });
    await world.to(at("13:00:00"));
    expect(texts).toEqual([
      "12:00 01: Alarm: Hub A is offline.",
      "12:00 01: Hub A is back.",
      "12:00 02: Alarm: Hub A is offline.",
      "12:00 02: Hub A is back.",
    ]);
    expect(await fates("turn")).toEqual(["sent 2: null", "sent 2: null"]);
  });
});

test("what two alarms were about is back only after the later of them has arrived", async () => {
  await aCity("turns", "+13105550101");
  await inWorld("turns", at("12:00:00"), async (world) => {
    await world.sync();
    const { context } = world;
    const texts: string[] = [];
    const answers: Sent[] = [{ ok: true }, DOWN];
    context.sms = async (_, text) => {
      const sent = answers.shift() ?? { ok: true };
      if (sent.ok) texts.push(text);
      return sent;
    };
    const raise = (name: string, text: string) =>
      transact(context, () => {
        openIncident(context, name);
        notifyOnce(context, name, "hub_offline", text, { what: "Away", why: "no answer", about: WHOLE_CITY });
      });
    raise("city:first", "Hub A is offline.");
    await world.to(at("12:05:00"));
    raise("city:second", "Hub A needs attention.");
    await world.to(at("12:05:10"));
    transact(context, () => {
      const over = ["city:first", "city:second"].flatMap((name) => closeIncident(context, name) ?? []);
      notifyBack(context, over, "hub_back", "Hub A is back.");
    });
    await world.to(at("13:00:00"));
    expect(texts).toEqual(["Alarm: Hub A is offline.", "Alarm: Hub A needs attention.", "Hub A is back."]);
  });
});

test("a refusal is not tried again, and after three tries more nothing is", async () => {
  await aCity("f", "+13105550101,+13105550102");
  await inWorld("f", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world, REFUSED, DOWN, DOWN, DOWN, DOWN);
    tell(world, "hub:1");
    await world.to(at("18:00:00"));
    expect(texts.filter((text) => text.endsWith("01"))).toHaveLength(1);
    expect(texts.filter((text) => text.endsWith("02"))).toHaveLength(4);
    expect(await fates("f")).toEqual([
      "failed 4: not sent to +13105550101: the SMS service answered 400 (code 21211); +13105550102: the SMS service did not answer",
    ]);
    const { left } = world.storage.sql
      .exec("SELECT (SELECT COUNT(*) FROM messages) + (SELECT COUNT(*) FROM timers WHERE kind = 'message') AS left")
      .one();
    expect(left).toBe(0);
  });
});

test("a light switches on time while a text takes its seconds", async () => {
  await aCity("g", "+13105550101,+13105550102,+13105550103");
  await aSchedule("g", "g1", at("12:00:05"), at("13:00:00"));
  await inWorld("g", at("12:00:00"), async (world) => {
    await world.sync();
    world.context.sms = () => new Promise((done) => world.context.after(8_000, () => done(DOWN)));
    tell(world, "hub:1");
    await world.to(at("12:00:06"));
    expect(world.lamp("g-lamp")).toBe("on");
  });
});

test("a crash while texts leave repeats none of those that had left", async () => {
  await aCity("h", "+13105550101,+13105550102");
  await inWorld("h", at("12:00:00"), async (world) => {
    await world.sync();
    const texts: string[] = [];
    world.context.sms = (to) =>
      to.endsWith("1")
        ? Promise.resolve({ ok: true })
        : new Promise((done) => world.context.after(8_000, () => done(DOWN)));
    tell(world, "hub:1");
    await world.to(at("12:00:03"));
    world.die();
    await world.restart(at("12:00:04"));
    world.context.sms = async (to) => {
      texts.push(to);
      return { ok: true };
    };
    await world.to(at("12:05:00"));
    expect(texts).toEqual(["+13105550102"]);
    expect(await fates("h")).toEqual(["sent 2: null"]);
  });
});

test("a crash while the first text leaves loses nothing", async () => {
  await aCity("h1", "+13105550101");
  await inWorld("h1", at("12:00:00"), async (world) => {
    await world.sync();
    world.context.sms = () => new Promise((done) => world.context.after(8_000, () => done(DOWN)));
    tell(world, "hub:1");
    await world.to(at("12:00:03"));
    world.die();
    await world.restart(at("12:00:04"));
    const texts = texting(world);
    await world.to(at("12:05:00"));
    expect(texts.map((text) => text.slice(9))).toEqual(["+13105550101"]);
    expect(await fates("h1")).toEqual(["sent 1: null"]);
  });
});

test("an account that is gone at the next try is told instead of waited for", async () => {
  await aCity("i", "+13105550101");
  await inWorld("i", at("12:00:00"), async (world) => {
    await world.sync();
    texting(world, DOWN);
    tell(world, "hub:1");
    await world.to(at("12:00:10"));
    world.context.sms = null;
    await world.to(at("12:10:00"));
    expect(await fates("i")).toEqual(["not_sent 1: not sent: SMS is not configured"]);
  });
});

test("one text for one incident, however many attempts and windows fail, and another for the next", async () => {
  await aCity("j", "+13105550101");
  await setting("j", "WATCHDOG_ENABLED", true).run();
  await aSchedule("j", "j1", at("12:00:00"), at("12:05:00"));
  await aSchedule("j", "j2", at("12:10:00"), at("12:15:00"));
  await aSchedule("j", "j3", at("12:30:00"), at("12:45:00"));
  await aSchedule("j", "j4", at("13:00:00"), at("13:05:00"));
  await inWorld("j", at("11:59:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    world.fault("lamp:j-lamp", { kind: "offline" });
    await world.to(at("12:25:00"));
    expect(texts).toHaveLength(1);
    world.fault("lamp:j-lamp");
    await world.to(at("12:50:00"));
    world.fault("lamp:j-lamp", { kind: "offline" });
    await world.to(at("13:10:00"));
    expect(texts).toHaveLength(2);
    expect(await fates("j")).toEqual(["sent 1: null", "sent 1: null"]);
  });
});

test("who wants no messages gets none, and none is recorded", async () => {
  await aCity("k", "+13105550101");
  await setting("k", "NOTIFY_ON_FAIL", false).run();
  await inWorld("k", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    tell(world, "hub:1");
    await world.to(at("13:00:00"));
    expect([texts, await fates("k")]).toEqual([[], []]);
  });
});

/** An e-mail service that takes everything but for `answers`; each message as '12:00:00 ana@...'. */
function mailing(world: World, ...answers: number[]): string[] {
  const mails: string[] = [];
  world.context.post = async ({ url, body }) => {
    const { To } = JSON.parse(body);
    mails.push(`${new Date(world.now).toISOString().slice(11, 19)} ${To}`);
    expect(url).toBe("https://api.postmarkapp.com/email");
    return { ok: true, status: answers.shift() ?? 200, text: '{"ErrorCode":0}' };
  };
  return mails;
}

async function aCityWithEmail(org_id: string, phones: string, addresses: string): Promise<void> {
  await aCity(org_id, phones);
  await setting(org_id, "EMAIL_PROVIDER", "postmark").run();
  await setting(org_id, "EMAIL_API_KEY", "sealed").run();
  await setting(org_id, "EMAIL_FROM", "lights@city.example").run();
  await setting(org_id, "NOTIFY_EMAIL_TO", addresses).run();
}

test("a message goes by SMS and by e-mail, and who did not get it is tried again alone", async () => {
  await aCityWithEmail("m", "+13105550101", "ana@city.example,ben@city.example");
  await inWorld("m", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    const mails = mailing(world, 200, 500);
    tell(world, "hub:1");
    await world.to(at("12:00:10"));
    expect(await fates("m")).toEqual(["pending 1: not sent yet to ben@city.example: Postmark answered 500"]);
    await world.to(at("13:00:00"));
    expect(texts).toEqual(["12:00:00 +13105550101"]);
    expect(mails).toEqual(["12:00:00 ana@city.example", "12:00:00 ben@city.example", "12:00:30 ben@city.example"]);
    expect(await fates("m")).toEqual(["sent 2: null"]);
  });
});

test("an address that stands there in two spellings gets one message", async () => {
  await aCityWithEmail("q", "+12025550123", "Ana@City.example, ana@city.example");
  await inWorld("q", at("12:00:00"), async (world) => {
    await world.sync();
    const mails = mailing(world);
    tell(world, "hub:1");
    await world.to(at("13:00:00"));
    expect(mails).toEqual(["12:00:00 ana@city.example"]);
  });
});

test("without SMS the e-mails go all the same, and who is not reached is named", async () => {
  await aCityWithEmail("n", "+13105550101,+12025550123", "ana@city.example");
  await inWorld("n", at("12:00:00"), async (world) => {
    await world.sync();
    const mails = mailing(world);
    tell(world, "hub:1");
    await world.to(at("13:00:00"));
    expect(mails).toEqual(["12:00:00 ana@city.example"]);
    expect(await fates("n")).toEqual(["failed 1: not sent to +13105550101: SMS is not configured"]);
  });
});

test("e-mail that is switched off again goes to nobody, which the message says", async () => {
  await aCityWithEmail("o", "+12025550123", "ana@city.example");
  await inWorld("o", at("12:00:00"), async (world) => {
    await world.sync();
    mailing(world, 503);
    tell(world, "hub:1");
    await world.to(at("12:00:10"));
    await setting("o", "EMAIL_PROVIDER", "off").run();
    await world.sync();
    await world.to(at("13:00:00"));
    expect(await fates("o")).toEqual(["not_sent 1: not sent: e-mail is not configured"]);
  });
});

test("addresses of e-mail that is switched off are left out of a message that goes by SMS", async () => {
  await aCityWithEmail("p", "+13105550101", "ana@city.example");
  await setting("p", "EMAIL_PROVIDER", "off").run();
  await inWorld("p", at("12:00:00"), async (world) => {
    await world.sync();
    texting(world);
    tell(world, "hub:1");
    await world.to(at("13:00:00"));
    expect(await fates("p")).toEqual(["sent 1: null"]);
  });
});
