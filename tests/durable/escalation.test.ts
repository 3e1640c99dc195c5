import { expect, test } from "vitest";
import type { AlarmKind } from "#domain/enums";
import { WHOLE_CITY } from "#durable/reporting/alarms";
import { closeIncident, notifyBack, notifyOnce, openIncident } from "#durable/reporting/incidents";
import { transact } from "#durable/state/context";
import { inWorld, type World } from "#tests/support/engine";
import { aField, setting, sql } from "#tests/support/light";
import { texting } from "#tests/support/texting";

const at = (clock: string) => `2026-06-10T${clock}Z`;
/** None of the incidents that the engine itself would end in a city without the cloud. */
const NAME = "city:silent";

async function aCity(org_id: string): Promise<void> {
  await aField(org_id);
  await setting(org_id, "NOTIFY_SMS_TO", "+13105550101").run();
  await setting(org_id, "ESCALATE_AFTER_MIN", 15).run();
  await setting(org_id, "ESCALATE_TO", "+13105550102,+13105550103").run();
}

function raise({ context }: World, kind: AlarmKind = "cloud_offline"): void {
  const words = { what: "Silent", why: "it does not answer", about: WHOLE_CITY };
  transact(context, () => {
    openIncident(context, NAME);
    notifyOnce(context, NAME, kind, "The cloud is silent.", words);
  });
}

const times = (texts: string[]) => texts.map((text) => text.slice(0, 8));

function left(world: World): number {
  const rows =
    "SELECT (SELECT COUNT(*) FROM escalations) + (SELECT COUNT(*) FROM timers WHERE kind = 'escalation') AS n";
  return Number(world.storage.sql.exec(rows).one()["n"]);
}

test("an urgent alarm that nobody acknowledges goes from one to the next, and ends with the last", async () => {
  await aCity("es-a");
  await inWorld("es-a", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world);
    await world.to(at("14:00:00"));
    expect(texts).toEqual([
      "12:00 01: Alarm: The cloud is silent.",
      "12:15 02: Nobody has acknowledged this for 15 min. Alarm: The cloud is silent.",
      "12:30 03: Nobody has acknowledged this for 30 min. Alarm: The cloud is silent.",
    ]);
    expect(left(world)).toBe(0);
  });
});

test("nobody is said to have left unseen what people were not told of yet", async () => {
  await aCity("es-late");
  await inWorld("es-late", at("11:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    transact(world.context, () => openIncident(world.context, NAME));
    await world.to(at("12:00:00")); // as of a hub that people hear of once it was away for long
    raise(world);
    await world.to(at("14:00:00"));
    expect(texts).toEqual([
      "12:00 01: Alarm: The cloud is silent.",
      "12:15 02: Nobody has acknowledged this for 15 min. Alarm: The cloud is silent.",
      "12:30 03: Nobody has acknowledged this for 30 min. Alarm: The cloud is silent.",
    ]);
  });
});

test("once it is acknowledged nobody else is told", async () => {
  await aCity("es-b");
  await inWorld("es-b", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world);
    await world.to(at("12:20:00"));
    await sql("UPDATE alarms SET acknowledged_at = 'then' WHERE org_id = 'es-b'").run();
    await world.to(at("14:00:00"));
    expect(times(texts)).toEqual(["12:00 01", "12:15 02"]);
    expect(left(world)).toBe(0);
  });
});

test("once it is over nobody else is told, and the next one begins anew", async () => {
  await aCity("es-c");
  await inWorld("es-c", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world);
    await world.to(at("12:10:00"));
    transact(world.context, () => closeIncident(world.context, NAME));
    expect(left(world)).toBe(0);
    raise(world);
    await world.to(at("12:26:00"));
    expect(times(texts)).toEqual(["12:00 01", "12:10 01", "12:25 02"]);
  });
});

test("whom it was passed on to hears that it is over, and nobody else", async () => {
  await aCity("es-i");
  await inWorld("es-i", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    const back = () =>
      transact(world.context, () => {
        const over = closeIncident(world.context, NAME);
        if (over) notifyBack(world.context, [over], "cloud_back", "The cloud is back.");
      });
    raise(world);
    await world.to(at("12:20:00"));
    await sql("UPDATE alarms SET acknowledged_at = 'then' WHERE org_id = 'es-i'").run();
    await world.to(at("12:40:00"));
    back();
    await world.to(at("12:45:00"));
    expect(times(texts)).toEqual(["12:00 01", "12:15 02", "12:40 01", "12:40 02"]);
    texts.length = 0;
    raise(world); // the next one begins anew, and goes to the last
    await world.to(at("13:30:00"));
    back();
    await world.to(at("13:35:00"));
    expect(times(texts)).toEqual(["12:45 01", "13:00 02", "13:15 03", "13:30 01", "13:30 02", "13:30 03"]);
    texts.length = 0;
    raise(world); // nobody was told of this one but the first
    await world.to(at("13:40:00"));
    back();
    await world.to(at("14:30:00"));
    expect(times(texts)).toEqual(["13:35 01", "13:40 01"]);
    expect(world.storage.sql.exec("SELECT * FROM passed_on").toArray()).toEqual([]);
  });
});

test("once messages are switched off nobody else is told", async () => {
  await aCity("es-off");
  await inWorld("es-off", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world);
    await world.to(at("12:20:00"));
    await setting("es-off", "NOTIFY_ON_FAIL", false).run();
    await world.sync();
    await world.to(at("14:00:00"));
    expect(times(texts)).toEqual(["12:00 01", "12:15 02"]);
    expect(left(world)).toBe(0);
  });
});

test("what is not urgent is passed on to nobody", async () => {
  await aCity("es-d");
  await inWorld("es-d", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world, "account_throttled");
    await world.to(at("14:00:00"));
    expect(times(texts)).toEqual(["12:00 01"]);
  });
});

test("a database that does not answer keeps nobody from being told", async () => {
  await aCity("es-e");
  await inWorld("es-e", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world);
    await world.to(at("12:10:00"));
    world.setDatabaseDown(true);
    await world.to(at("12:32:00"));
    expect(times(texts)).toEqual(["12:00 01", "12:15 02", "12:30 03"]);
    world.setDatabaseDown(false);
    await world.to(at("12:40:00"));
  });
});

test("an alarm that ends, or begins anew, while D1 is asked who has acknowledged it is passed on to nobody by that answer", async () => {
  for (const then of ["over", "anew"]) {
    const org_id = `es-${then}`;
    await aCity(org_id);
    await inWorld(org_id, at("12:00:00"), async (world) => {
      await world.sync();
      const texts = texting(world);
      raise(world);
      await world.to(at("12:14:59"));
      world.wire.state = { kind: "hung" };
      await world.to(at("12:15:02"));
      transact(world.context, () => closeIncident(world.context, NAME));
      if (then === "anew") raise(world);
      world.wire.state = { kind: "up" };
      await world.to(at("12:29:00"));
      expect(times(texts)).toEqual(then === "anew" ? ["12:00 01", "12:15 01"] : ["12:00 01"]);
      await world.to(at("12:31:00"));
      expect(times(texts).slice(1)).toEqual(then === "anew" ? ["12:15 01", "12:30 02"] : []);
      expect(left(world)).toBe(then === "anew" ? 2 : 0);
    });
  }
});

test("the log says why D1 did not answer, and no value that was asked by", async () => {
  await aCity("es-k");
  await inWorld("es-k", at("12:00:00"), async (world) => {
    await world.sync();
    texting(world);
    raise(world);
    await world.to(at("12:10:00"));
    world.setDatabaseDown(true);
    await world.to(at("12:16:00"));
    const lines = world.lines.filter(({ event }) => event === "escalation.unanswered" || event === "sync.failed");
    expect(new Set(lines.map(({ event }) => event)).size).toBe(2);
    for (const { reason } of lines) {
      expect(reason).toContain("D1 does not answer");
      expect(reason).not.toMatch(/params|es-k/);
    }
    world.setDatabaseDown(false);
    await world.to(at("12:40:00"));
  });
});

test("a process that dies at any step of passing it on tells everybody, each of them once", async () => {
  for (let step = 1; step <= 14; step += 1) {
    const org_id = `es-f${step}`;
    await aCity(org_id);
    await inWorld(org_id, at("12:00:00"), async (world) => {
      await world.sync();
      const told: string[] = [];
      // Whoever sends dies between the sending and its storing only where a text has left: that one may be repeated.
      world.context.sms = async (to) => {
        told.push(to.slice(-2));
        return { ok: true };
      };
      raise(world);
      await world.to(at("12:14:59"));
      world.dieAfter(step, 30_000);
      await world.to(at("12:15:20"));
      world.context.sms = async (to) => {
        told.push(to.slice(-2));
        return { ok: true };
      };
      await world.to(at("14:00:00"));
      expect([...new Set(told)], `step ${step}`).toEqual(["01", "02", "03"]);
      expect(
        told.filter((to) => to === "03"),
        `step ${step}`,
      ).toHaveLength(1);
      expect(told.filter((to) => to === "02").length, `step ${step}`).toBeLessThanOrEqual(2);
      const { results } = await sql(
        "SELECT kind FROM notifications WHERE org_id = ? ORDER BY created_at",
        org_id,
      ).all();
      expect(
        results.map(({ kind }) => kind),
        `step ${step}`,
      ).toEqual(["cloud_offline", "escalation_1", "escalation_2"]);
      expect(left(world)).toBe(0);
    });
  }
});

test("a list that is changed meanwhile passes nobody over and tells nobody twice", async () => {
  await aCity("es-g");
  await inWorld("es-g", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    const list = async (people: string) => {
      await setting("es-g", "ESCALATE_TO", people).run();
      await world.sync();
    };
    raise(world);
    await world.to(at("12:20:00"));
    await list("+13105550103,+13105550104"); // whoever was told has left
    await world.to(at("12:35:00"));
    await list("+13105550105,+13105550103,+13105550104"); // somebody new stands before whoever was told
    await world.to(at("14:00:00"));
    expect(times(texts)).toEqual(["12:00 01", "12:15 02", "12:30 03", "12:45 05", "13:00 04"]);
    expect(left(world)).toBe(0);
  });
});

test("of an alarm that was passed on before it was known to whom, the first of the list have been told", async () => {
  await aCity("es-h");
  await inWorld("es-h", at("12:00:00"), async (world) => {
    await world.sync();
    const texts = texting(world);
    raise(world);
    await world.to(at("12:20:00"));
    world.storage.sql.exec("DELETE FROM passed_on");
    await world.to(at("14:00:00"));
    expect(times(texts)).toEqual(["12:00 01", "12:15 02", "12:30 03"]);
  });
});
