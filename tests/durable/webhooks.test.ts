import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Reply, Request } from "#durable/providers/http-post";
import type { WebhookMessage } from "#domain/messages/webhook-records";
import { webhookWait } from "#domain/messages/webhook-retries";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { sendWebhook } from "#durable/requests/send-webhook";
import { transact } from "#durable/state/context";
import { inWorld, type World } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";

const at = (clock: string, day = 10) => `2026-06-${day}T${clock}Z`;
const SECRET = `whsec_${btoa("a secret of thirty-two bytes ...")}`;
const OLD_SECRET = `whsec_${btoa("the secret that it had before ..")}`;
const OLDER_SECRET = `whsec_${btoa("the secret that is older still .")}`;
const OK: Reply = { ok: true, status: 200, text: "thanks" };
const BROKEN: Reply = { ok: true, status: 500, text: "<html>\n oops" };
const REDIRECT: Reply = {
  ok: false,
  failure: "unsent",
  status: 302,
  detail: "it answered with a redirect, which is not followed",
};

const LOST: Reply = { ok: false, failure: "lost", status: null, detail: "no answer within 10.0 s" };

type Posted = { at: string; to: string; request: Request };

/** Every webhook answers as `answer` says; a hang is a promise. */
function posting(world: World, answer: (to: string) => Reply | Promise<Reply>): Posted[] {
  const posted: Posted[] = [];
  world.context.post = async (request) => {
    const to = new URL(request.url).hostname.split(".")[0] ?? "";
    posted.push({ at: new Date(world.now).toISOString().slice(8, 19), to, request });
    return answer(to);
  };
  return posted;
}

async function aCityWith(org_id: string, ...names: string[]): Promise<void> {
  await aField(org_id);
  await setting(org_id, "HUB_CHECK_INTERVAL_SEC", 60).run();
  for (const name of names) {
    await sql(
      "INSERT INTO webhooks (id, org_id, name, url, secret, hint) VALUES (?, ?, ?, ?, ?, 'hint')",
      `${org_id}-${name}`,
      org_id,
      name,
      `https://${name}.city.example/`,
      SECRET,
    ).run();
  }
}

/** None of the incidents that the engine itself would end in a city without the cloud. */
const NAME = "city:silent";

/** An alarm without the hours of checks that lead to it. */
function raise({ context }: World): void {
  const words = { what: "Silent", why: "the YoLink cloud does not answer", about: WHOLE_CITY };
  transact(context, () => {
    openIncident(context, NAME);
    notifyOnce(context, NAME, "cloud_offline", "The YoLink cloud does not answer.", words);
  });
}

function end({ context }: World): void {
  transact(context, () => closeIncident(context, NAME));
}

/** 'alarm.opened delivered 1: 200 thanks'. */
async function fates(org_id: string): Promise<string[]> {
  const { results } = await sql(
    "SELECT type, status, attempts, http_status, answer FROM webhook_deliveries WHERE org_id = ? ORDER BY created_at, webhook_id",
    org_id,
  ).all<Record<"type" | "status" | "attempts" | "http_status" | "answer", string>>();
  return results.map(
    ({ type, status, attempts, http_status, answer }) => `${type} ${status} ${attempts}: ${http_status} ${answer}`,
  );
}

function left(world: World): number {
  return Number(
    world.storage.sql
      .exec(
        "SELECT (SELECT COUNT(*) FROM webhook_messages) + (SELECT COUNT(*) FROM webhook_log) + (SELECT COUNT(*) FROM timers WHERE kind = 'webhooks') AS n",
      )
      .one()["n"],
  );
}

test("each webhook is told once as an alarm opens and once when it is over, signed", async () => {
  await aCityWith("wh-a", "pager", "board");
  await inWorld("wh-a", at("12:00:00"), async (world) => {
    await world.sync();
    const posted = posting(world, () => OK);
    world.fault("hub:wh-a-hub", { kind: "offline" });
    await world.to(at("12:30:00"));
    world.fault("hub:wh-a-hub");
    await world.to(at("13:00:00"));
    expect(posted.map(({ to, request }) => `${JSON.parse(request.body).type} ${to}`)).toEqual([
      "alarm.opened board",
      "alarm.opened pager",
      "alarm.over board",
      "alarm.over pager",
    ]);
    const [first] = posted;
    if (!first) throw new Error("nothing was posted");
    const { headers, body } = first.request;
    const message = JSON.parse(body);
    expect(message).toMatchObject({
      id: headers["webhook-id"],
      type: "alarm.opened",
      organization: "wh-a",
      alarm: { kind: "hub_offline", what: "Away", hub_id: "wh-a-hub", hub_name: "Hub", over_at: null },
    });
    expect(Date.parse(message.at)).toBeCloseTo(Number(headers["webhook-timestamp"]) * 1000, -4);
    const key = Buffer.from(SECRET.slice("whsec_".length), "base64");
    const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", key).update(text).digest("base64")}`);
    expect(await fates("wh-a")).toEqual([
      ...Array.from({ length: 2 }, () => "alarm.opened delivered 1: 200 thanks"),
      ...Array.from({ length: 2 }, () => "alarm.over delivered 1: 200 thanks"),
    ]);
    expect(left(world)).toBe(0);
  });
});

test.each([
  ["answers 500", "wh-b", BROKEN, "500 <html> oops", "pager answered 500"],
  ["does not answer", "wh-n", LOST, "null no answer within 10.0 s", "pager did not answer: no answer within 10.0 s"],
  ["redirects", "wh-c", REDIRECT, "302 it answered with a redirect, which is not followed", "pager answered 302"],
])(
  "a webhook that %s for a day is tried with growing waits, given up, and is an alarm until it takes one",
  async (_, org_id, reply, told, why) => {
    await aCityWith(org_id, "pager", "board");
    await setting(org_id, "HUB_CHECK_INTERVAL_SEC", 86_400).run();
    await inWorld(org_id, at("12:00:00"), async (world) => {
      await world.sync();
      let isWell = false;
      const posted = posting(world, (to) => (to === "pager" && !isWell ? reply : OK));
      raise(world);
      await world.to(at("14:00:00"));
      const tries = () =>
        posted.filter(({ to }) => to === "pager").map(({ at: then }) => Date.parse(`2026-06-${then}Z`));
      expect(tries()).toHaveLength(4);
      expect(await fates(org_id)).toEqual(["alarm.opened delivered 1: 200 thanks", `alarm.opened pending 4: ${told}`]);
      await world.to(at("23:00:00", 11));
      const [opened = 0, ...later] = tries();
      expect(later.map((then) => Math.round((then - opened) / 60_000))).toEqual([0, 5, 35, 155, 455, 1055, 1895]);
      expect(await fates(org_id)).toEqual([
        "alarm.opened delivered 1: 200 thanks",
        `alarm.opened failed 8: ${told}`,
        // Of the webhook's own failure the other one is told.
        "alarm.opened delivered 1: 200 thanks",
      ]);
      const alarm = () =>
        sql("SELECT what, why, over_at FROM alarms WHERE org_id = ? AND kind = 'webhook_failing'", org_id).first<{
          what: string;
          why: string;
          over_at: string | null;
        }>();
      expect(await alarm()).toEqual({ what: "Not delivered", why, over_at: null });
      isWell = true;
      end(world);
      await world.to(at("23:30:00", 11));
      expect((await alarm())?.over_at).not.toBeNull();
      expect(left(world)).toBe(0);
    });
  },
);

test("a webhook that hangs holds up neither the others nor people's messages nor a light", async () => {
  await aCityWith("wh-d", "hung", "pager");
  await setting("wh-d", "NOTIFY_SMS_TO", "+13105550101").run();
  await inWorld("wh-d", at("12:00:00"), async (world) => {
    await world.sync();
    const texts: number[] = [];
    world.context.sms = async () => {
      texts.push(world.now);
      return { ok: true };
    };
    const hung: Reply = { ok: false, failure: "lost", status: null, detail: "no answer within 10.0 s" };
    const posted = posting(world, (to) =>
      to === "hung" ? new Promise((done) => world.context.after(10_000, () => done(hung))) : OK,
    );
    world.fault("hub:wh-d-hub", { kind: "offline" });
    await world.to(at("12:40:00"));
    const opened = posted[0] ? Date.parse(`2026-06-${posted[0].at}Z`) : 0;
    expect((texts[0] ?? Infinity) - opened).toBeLessThan(2_000);
    const reached = posted.find(({ to }) => to === "pager");
    expect(Date.parse(`2026-06-${reached?.at}Z`) - opened).toBeLessThanOrEqual(11_000);
    expect(await fates("wh-d")).toContain("alarm.opened pending 3: null no answer within 10.0 s");
  });
});

test("of several messages each webhook has one in its turn", async () => {
  await aCityWith("wh-turns", "board", "pager");
  await inWorld("wh-turns", at("12:00:00"), async (world) => {
    await world.sync();
    const posted = posting(world, () => OK);
    raise(world);
    end(world);
    await world.to(at("12:00:10"));
    expect(posted.map(({ to }) => to)).toEqual(["board", "pager", "board", "pager"]);
  });
});

test("that an alarm is over is told after the alarm itself, however long that takes, or once it was given up", async () => {
  await aCityWith("wh-order", "board", "pager");
  await setting("wh-order", "HUB_CHECK_INTERVAL_SEC", 86_400).run();
  await inWorld("wh-order", at("12:00:00"), async (world) => {
    await world.sync();
    let isWell = false;
    const posted = posting(world, (to) => (to === "pager" && !isWell ? BROKEN : OK));
    const toldTo = (name: string) =>
      posted
        .filter(({ to }) => to === name)
        .map(({ at: then, request }) => `${then.slice(3)} ${JSON.parse(request.body).type}`);
    raise(world);
    await world.to(at("12:02:00"));
    end(world);
    isWell = true;
    await world.to(at("12:10:00"));
    expect(toldTo("board")).toEqual(["12:00:00 alarm.opened", "12:02:00 alarm.over"]);
    expect(toldTo("pager")).toEqual([
      "12:00:00 alarm.opened",
      "12:00:05 alarm.opened",
      "12:05:05 alarm.opened",
      "12:05:05 alarm.over",
    ]);
    expect(left(world)).toBe(0);

    isWell = false;
    raise(world);
    end(world);
    await world.to(at("23:00:00", 11));
    const types = toldTo("pager").slice(4);
    expect(types.findIndex((told) => told.endsWith("over"))).toBe(8);
    expect(types.slice(0, 8).every((told) => told.endsWith("opened"))).toBe(true);
  });
});

test("a crash while a message leaves repeats that one alone, under the same id", async () => {
  await aCityWith("wh-e", "board", "pager");
  await inWorld("wh-e", at("12:00:00"), async (world) => {
    await world.sync();
    const before = posting(world, (to) => (to === "board" ? OK : new Promise(() => undefined)));
    world.fault("hub:wh-e-hub", { kind: "offline" });
    for (let minute = 1; before.length < 2 && minute < 40; minute += 1)
      await world.to(at(`12:${String(minute).padStart(2, "0")}:00`));
    expect(before.map(({ to }) => to)).toEqual(["board", "pager"]);
    world.die();
    const again = posting(world, () => OK);
    await world.restart(new Date(world.now + 1_000).toISOString());
    await world.to(world.now + 120_000);
    expect(again.map(({ to, request }) => [to, request.headers["webhook-id"]])).toEqual([
      ["pager", before[1]?.request.headers["webhook-id"]],
    ]);
    expect(await fates("wh-e")).toEqual(Array.from({ length: 2 }, () => "alarm.opened delivered 1: 200 thanks"));
  });
});

test("a message is sent again under its id, and one to a webhook that is gone is given up with the reason", async () => {
  await aCityWith("wh-f", "pager");
  await inWorld("wh-f", at("12:00:00"), async (world) => {
    await world.sync();
    const posted = posting(world, () => BROKEN);
    const message = {
      id: "msg_1",
      webhook_id: "wh-f-pager",
      type: "test" as const,
      alarm_id: null,
      subject: "Test",
      body: "{}",
      created_at: at("11:00:00"),
      attempts: 8,
    };
    await sendWebhook(world.context, message);
    await world.to(at("12:00:03"));
    expect(posted.map(({ request }) => request.headers["webhook-id"])).toEqual(["msg_1"]);
    expect(await fates("wh-f")).toEqual(["test pending 9: 500 <html> oops"]);
    await sql("DELETE FROM webhooks WHERE org_id = 'wh-f'").run();
    await world.sync();
    await world.to(at("12:30:00"));
    expect(posted).toHaveLength(1);
    expect(await fates("wh-f")).toEqual(["test failed 9: null the webhook was deleted or switched off"]);
    expect(left(world)).toBe(0);
  });
});

test.each([
  ["wh-late", 7],
  ["wh-last", 8],
])("%s: a message that is asked for while its try %i is under way is sent again soon", async (org, tries) => {
  await aCityWith(org, "pager");
  await setting(org, "HUB_CHECK_INTERVAL_SEC", 86_400).run();
  await inWorld(org, at("12:00:00"), async (world) => {
    await world.sync();
    let answer: (reply: Reply) => void = () => undefined;
    let isHeld = false;
    const posted = posting(world, () => (isHeld ? new Promise((resolve) => (answer = resolve)) : BROKEN));
    raise(world);
    for (let tried = 1; tried <= tries; tried += 1) {
      isHeld = tried === tries;
      await world.to(world.now + (webhookWait(tried - 1) ?? 0) + 60_000);
    }
    expect(posted).toHaveLength(tries);
    const [message] = (
      await sql(
        "SELECT id, webhook_id, type, alarm_id, subject, body, created_at, attempts FROM webhook_deliveries WHERE org_id = ?",
        org,
      ).all<WebhookMessage>()
    ).results;
    if (!message) throw new Error("nothing was told of the message");
    await sendWebhook(world.context, message);
    isHeld = false;
    answer(BROKEN);
    await world.to(world.now + 10_000);
    expect(posted).toHaveLength(tries + 1);
    expect(await fates(org)).toEqual([`alarm.opened pending ${tries + 1}: 500 <html> oops`]);
    const { results } = await sql("SELECT 1 FROM alarms WHERE org_id = ? AND kind = 'webhook_failing'", org).all();
    expect(results).toEqual([]);
  });
});

test.each([
  ["wh-url", "url = 'https://10.0.0.1/'", "the address may not be called"],
  ["wh-lost", "secret = 'lost'", "the secret was stored with another SETTINGS_KEY"],
])(
  "%s: a webhook that cannot be sent to says why, and what waits for it leaves once it is mended",
  async (org, set, why) => {
    await aCityWith(org, "pager");
    await sql(`UPDATE webhooks SET ${set} WHERE org_id = ?`, org).run();
    await inWorld(org, at("12:00:00"), async (world) => {
      await world.sync();
      const { unseal } = world.context;
      world.context.unseal = (sealed) =>
        sealed === "lost" ? Promise.reject(new Error("another key")) : unseal(sealed);
      const posted = posting(world, () => OK);
      raise(world);
      await world.to(at("12:01:00"));
      expect(posted).toEqual([]);
      expect(await fates(org)).toEqual([`alarm.opened pending 2: null ${why}`]);
      await sql(
        "UPDATE webhooks SET url = 'https://pager.city.example/', secret = ? WHERE org_id = ?",
        SECRET,
        org,
      ).run();
      await world.sync();
      await world.to(at("12:10:00"));
      expect(posted).toHaveLength(1);
      expect(await fates(org)).toEqual(["alarm.opened delivered 3: 200 thanks"]);
    });
  },
);

test("the alarm of a webhook that fails is over once it is deleted, and not that of another", async () => {
  await aCityWith("wh-del", "pager", "board");
  await inWorld("wh-del", at("12:00:00"), async (world) => {
    await world.sync();
    for (const name of ["pager", "board"])
      transact(world.context, () => {
        openIncident(world.context, `webhook:wh-del-${name}`);
        const words = { what: "Not delivered", why: name, about: WHOLE_CITY };
        notifyOnce(world.context, `webhook:wh-del-${name}`, "webhook_failing", `Webhook ${name} fails.`, words);
      });
    await sql("DELETE FROM webhooks WHERE id = 'wh-del-pager'").run();
    await world.sync();
    await world.calm();
    const { results } = await sql("SELECT why FROM alarms WHERE org_id = 'wh-del' AND over_at IS NULL").all();
    expect(results).toEqual([{ why: "board" }]);
  });
});

test.each(["DELETE FROM webhooks WHERE id = ?", "UPDATE webhooks SET active = 0 WHERE id = ?"])(
  "a webhook that goes while its last try is under way is no alarm: %s",
  async (gone) => {
    const org = gone.startsWith("DELETE") ? "wh-goes" : "wh-stops";
    await aCityWith(org, "pager", "board");
    await inWorld(org, at("12:00:00"), async (world) => {
      await world.sync();
      let answer: () => Reply | Promise<Reply> = () => BROKEN;
      posting(world, (to) => (to === "board" ? OK : answer()));
      raise(world);
      await world.to(at("12:00:02"));
      world.storage.sql.exec("UPDATE webhook_messages SET body = json_set(body, '$.failures', 7)");
      let fail = () => {};
      answer = () => new Promise((done) => (fail = () => done(BROKEN)));
      await world.to(at("12:00:10"));
      await sql(gone, `${org}-pager`).run();
      await world.sync();
      fail();
      await world.to(at("13:00:00"));
      const told = ["alarm.opened delivered 1: 200 thanks", "alarm.opened failed 2: 500 <html> oops"];
      expect(await fates(org)).toEqual(told);
      const { results } = await sql("SELECT kind FROM alarms WHERE org_id = ? AND over_at IS NULL", org).all();
      expect(results).toEqual([{ kind: "cloud_offline" }]);
    });
  },
);

test("of more than 500 messages that wait for one webhook the last are given up, and no other webhook's", async () => {
  await aCityWith("wh-many", "pager", "board");
  await inWorld("wh-many", at("12:00:00"), async (world) => {
    await world.sync();
    posting(world, (to) => (to === "pager" ? BROKEN : OK));
    world.tamper(
      `WITH RECURSIVE of (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM of WHERE n < 499)
       INSERT INTO webhook_messages (id, webhook_id, due_at, body)
       SELECT 'waiting_' || n, 'wh-many-pager', ?, '{"webhook_id":"wh-many-pager","body":""}' FROM of`,
      world.now + 3_600_000,
    );
    raise(world);
    end(world);
    await world.to(at("12:00:02"));
    expect((await fates("wh-many")).toSorted()).toEqual([
      "alarm.opened delivered 1: 200 thanks",
      "alarm.opened pending 1: 500 <html> oops",
      "alarm.over delivered 1: 200 thanks",
      "alarm.over failed 0: null too many others were waiting",
    ]);
  });
});

test("what a person sends again leaves, though 500 messages wait for the webhook, be it one of them", async () => {
  await aCityWith("wh-full", "pager");
  await inWorld("wh-full", at("12:00:00"), async (world) => {
    await world.sync();
    const posted = posting(world, () => OK);
    world.tamper(
      `WITH RECURSIVE of (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM of WHERE n < 500)
       INSERT INTO webhook_messages (id, webhook_id, due_at, body)
       SELECT 'waiting_' || n, 'wh-full-pager', ?, '{"webhook_id":"wh-full-pager","body":""}' FROM of`,
      world.now + 3_600_000,
    );
    const of = { webhook_id: "wh-full-pager", type: "test" as const, alarm_id: null, subject: "Test", body: "{}" };
    for (const id of ["waiting_7", "given_up"])
      await sendWebhook(world.context, { ...of, id, created_at: at("11:00:00"), attempts: 8 });
    await world.to(at("12:00:03"));
    expect(posted.map(({ request }) => request.headers["webhook-id"]).toSorted()).toEqual(["given_up", "waiting_7"]);
    expect(await fates("wh-full")).toEqual(["test delivered 9: 200 thanks", "test delivered 9: 200 thanks"]);
  });
});

test("a new secret signs alone where the one before it was stored with another SETTINGS_KEY", async () => {
  await aCityWith("wh-key", "pager");
  await sql(
    "UPDATE webhooks SET previous_secret = 'lost', previous_until = ? WHERE org_id = 'wh-key'",
    at("12:30:00"),
  ).run();
  await inWorld("wh-key", at("12:00:00"), async (world) => {
    await world.sync();
    const { unseal } = world.context;
    world.context.unseal = (sealed) => (sealed === "lost" ? Promise.reject(new Error("another key")) : unseal(sealed));
    const posted = posting(world, () => OK);
    raise(world);
    await world.to(at("12:00:10"));
    expect(posted.map(({ request }) => request.headers["webhook-signature"]?.split(" ").length)).toEqual([1]);
    expect(await fates("wh-key")).toEqual(["alarm.opened delivered 1: 200 thanks"]);
  });
});

test.each([
  ["wh-g", [OLD_SECRET]],
  ["wh-two", [OLD_SECRET, OLDER_SECRET]],
])("in %s for a day after a new secret the old ones sign, too, and then only the new one", async (org_id, old) => {
  await aCityWith(org_id, "pager");
  await sql(
    "UPDATE webhooks SET previous_secret = ?, previous_until = ? WHERE org_id = ?",
    old.join(" "),
    at("12:30:00"),
    org_id,
  ).run();
  await inWorld(org_id, at("12:00:00"), async (world) => {
    await world.sync();
    const posted = posting(world, () => OK);
    const message = {
      webhook_id: `${org_id}-pager`,
      type: "test" as const,
      alarm_id: null,
      subject: "Test",
      body: "{}",
      created_at: at("12:00:00"),
      attempts: 0,
    };
    await sendWebhook(world.context, { ...message, id: "msg_1" });
    await world.to(at("12:31:00"));
    await sendWebhook(world.context, { ...message, id: "msg_2" });
    await world.to(at("12:32:00"));
    const signatures = posted.map(({ request }) => request.headers["webhook-signature"]?.split(" ") ?? []);
    expect(signatures.map(({ length }) => length)).toEqual([1 + old.length, 1]);
    const timestamp = posted[0]?.request.headers["webhook-timestamp"];
    const key = Buffer.from(old.at(-1)?.slice("whsec_".length) ?? "", "base64");
    const by_oldest = createHmac("sha256", key).update(`msg_1.${timestamp}.{}`).digest("base64");
    expect(signatures[0]).toContain(`v1,${by_oldest}`);
  });
});

test("a database that is away delays no message, and is told of it when it is back", async () => {
  await aCityWith("wh-h", "pager");
  await setting("wh-h", "HUB_CHECK_INTERVAL_SEC", 86_400).run();
  await inWorld("wh-h", at("12:00:00"), async (world) => {
    await world.sync();
    const posted = posting(world, () => OK);
    world.setDatabaseDown(true);
    raise(world);
    await world.to(at("12:05:00"));
    expect(posted).toHaveLength(1);
    expect(await fates("wh-h")).toEqual([]);
    world.setDatabaseDown(false);
    await world.to(at("12:06:00"));
    expect(await fates("wh-h")).toEqual(["alarm.opened delivered 1: 200 thanks"]);
    expect(posted).toHaveLength(1);
    expect(left(world)).toBe(0);
  });
});

test("one message's fate that D1 refuses for good takes no other's with it", async () => {
  await aCityWith("wh-odd", "pager");
  await setting("wh-odd", "HUB_CHECK_INTERVAL_SEC", 86_400).run();
  await inWorld("wh-odd", at("12:00:00"), async (world) => {
    await world.sync();
    posting(world, () => OK);
    world.setDatabaseDown(true);
    raise(world);
    await world.to(at("12:05:00"));
    const odd = JSON.stringify({ id: "a-odd", webhook_id: "pager", status: "failed" });
    world.tamper("INSERT INTO webhook_log (id, body) VALUES ('a-odd', ?)", odd);
    world.setDatabaseDown(false);
    await world.to(at("12:06:00"));
    expect(await fates("wh-odd")).toEqual(["alarm.opened delivered 1: 200 thanks"]);
    expect(left(world)).toBe(0);
  });
});

test.each(["webhook_messages", "webhook_log"])(
  "a row of %s that can't be read holds up neither other messages nor the end of an alarm",
  async (table) => {
    const org = `wun-${table.slice(8)}`;
    await aCityWith(org, "a", "b");
    await inWorld(org, at("12:00:00"), async (world) => {
      const posted = posting(world, () => OK);
      await world.sync();
      if (table === "webhook_log") world.tamper("INSERT INTO webhook_log (id, body) VALUES ('a-spoilt', 'no fate')");
      else {
        const spoil =
          "INSERT INTO webhook_messages (id, webhook_id, due_at, body) VALUES ('a-spoilt', ?, ?, 'no message')";
        world.tamper(spoil, `${org}-a`, world.now);
      }
      raise(world);
      end(world);
      await world.to(at("12:02:00"));
      expect(posted.map(({ to }) => to).toSorted()).toEqual(["a", "a", "b", "b"]);
      expect(await fates(org)).toHaveLength(4);
      expect(left(world)).toBe(0);
      expect(world.storage.sql.exec("SELECT id FROM webhook_log").toArray()).toEqual([]);
      expect(world.lines.map(({ event }) => event)).toEqual(["webhook.unreadable"]);
    });
  },
);
