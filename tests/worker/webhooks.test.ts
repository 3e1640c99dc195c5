import { env } from "cloudflare:workers";
import { beforeAll, expect, test } from "vitest";
import { open } from "#db/sealed";
import { as, asked, fingerprint, NOW, scopeFor } from "../support/api";
import { seedCity } from "../support/city";
import { interruptedBy } from "../support/interrupted";

beforeAll(seedCity);

const admin = as("admin");
const PATH = "/admin/webhooks";
const INPUT = { name: "Pager", url: "https://hooks.example/lights" };
const aNew = async () => (await admin.post(PATH, INPUT)).json.data;
const kept = (id: string) =>
  env.DB.prepare("SELECT secret, previous_secret, previous_until FROM webhooks WHERE id = ?")
    .bind(id)
    .first<{ secret: string; previous_secret: string | null; previous_until: string | null }>();

test("a webhook's secret is in one answer only, and stored sealed", async () => {
  const { id, secret, ...made } = await aNew();
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
  expect(await open((await kept(id))?.secret ?? "", env.SETTINGS_KEY)).toBe(secret);
  expect(JSON.stringify(await fingerprint())).not.toContain(secret.slice(6));
  expect((await admin.get(PATH)).json.data).toEqual([
    { ...made, id, hint: secret.slice(-4), last_at: null, waiting: 0 },
  ]);
  expect((await as("stranger").get(PATH)).json.data).toEqual([]);
});

test("a new secret leaves the old one good for a day", async () => {
  const { id, secret } = await aNew();
  const { json } = await admin.post(`${PATH}/${id}/rotate`);
  expect(json.data.secret).not.toBe(secret);
  const row = await kept(id);
  expect(await open(row?.previous_secret ?? "", env.SETTINGS_KEY)).toBe(secret);
  expect(row?.previous_until).toBe("2026-11-21T20:00:00.000Z");
});

test("a secret that was lost and made again leaves the one that the far end has good for a day", async () => {
  const { id, secret: theirs } = await aNew();
  const { json: lost } = await admin.post(`${PATH}/${id}/rotate`);
  await admin.post(`${PATH}/${id}/rotate`);
  const old = async () => {
    const sealed = (await kept(id))?.previous_secret?.split(" ") ?? [];
    return Promise.all(sealed.map((each) => open(each, env.SETTINGS_KEY)));
  };
  expect(await old()).toEqual([lost.data.secret, theirs]);
  for (let press = 0; press < 4; press += 1) await admin.post(`${PATH}/${id}/rotate`);
  expect((await old()).length).toBeLessThanOrEqual(5);
  const later = as("admin", { now: () => new Date(NOW.getTime() + 25 * 3_600_000) });
  await later.post(`${PATH}/${id}/rotate`);
  expect(await old()).toHaveLength(1);
});

test.each(["http://hooks.example/", "https://192.168.4.20/", "https://169.254.169.254/", "https://localhost/"])(
  "%s is refused",
  async (url) => {
    const { status, json } = await admin.post(PATH, { ...INPUT, url });
    expect([status, json.errors]).toEqual([
      422,
      { url: "The address must be https:// and reachable from the internet" },
    ]);
  },
);

test("an address that is too long is told to be that", async () => {
  const url = `https://hooks.example/${"x".repeat(1_000)}`;
  const { status, json } = await admin.post(PATH, { ...INPUT, url });
  expect([status, json.errors]).toEqual([422, { url: "The address may have at most 1000 characters" }]);
});

test("a delivery is sent again as it was, and not while the webhook is off", async () => {
  const { id } = await aNew();
  await env.DB.prepare(
    "INSERT INTO webhook_deliveries (id, org_id, webhook_id, type, subject, body, status, attempts) VALUES ('msg_7', 'city', ?, 'alarm.over', 'Dark: off', '{\"id\":\"msg_7\"}', 'failed', 8)",
  )
    .bind(id)
    .run();
  const [told] = (await admin.get(`${PATH}/deliveries`)).json.data;
  expect(told).toMatchObject({ id: "msg_7", webhook_name: "Pager", status: "failed", attempts: 8 });
  expect(told.body).toBeUndefined();
  asked.length = 0;
  expect((await admin.post(`${PATH}/deliveries/msg_7/send`)).json).toEqual({ success: true });
  expect(asked).toMatchObject([
    { verb: "sendWebhook", message: { id: "msg_7", webhook_id: id, body: '{"id":"msg_7"}', attempts: 8 } },
  ]);
  await admin.put(`${PATH}/${id}`, { ...INPUT, active: false }, 1);
  expect((await admin.post(`${PATH}/deliveries/msg_7/send`)).status).toBe(409);
  expect((await admin.post(`${PATH}/${id}/test`)).json.detail).toBe("This webhook is switched off");
  expect((await as("stranger").post(`${PATH}/deliveries/msg_7/send`)).status).toBe(404);
});

test("who sent a message is in the activity log also where the engine took it and its answer was lost", async () => {
  const { id } = await aNew();
  const sendWebhook = () => Promise.reject(new Error("the connection was lost"));
  const lost = as("admin", { scheduler: { ...scopeFor("admin", {}).scheduler, sendWebhook } });
  expect((await lost.post(`${PATH}/${id}/test`)).status).toBe(503);
  const { results } = await env.DB.prepare("SELECT action FROM audit_logs WHERE resource_id = ? AND action = 'send'")
    .bind(id)
    .all();
  expect(results).toHaveLength(1);
});

test("an organization has ten webhooks at most, and a deleted one makes room", async () => {
  await as("stranger").post(PATH, INPUT);
  for (let n = 0; n < 10; n += 1) await admin.post(PATH, INPUT);
  const refused = await admin.post(PATH, INPUT);
  expect([refused.status, refused.json.detail]).toEqual([409, "There may be at most 10 webhooks"]);
  const [{ id }] = (await admin.get(PATH)).json.data;
  await admin.remove(`${PATH}/${id}`);
  expect((await admin.post(PATH, INPUT)).status).toBe(201);
});

test("two people who create the tenth webhook at the same moment do not make an eleventh", async () => {
  const count = async () => (await admin.get(PATH)).json.data.length;
  for (let n = await count(); n > 9; n -= 1) {
    const [{ id }] = (await admin.get(PATH)).json.data;
    await admin.remove(`${PATH}/${id}`);
  }
  const theirs =
    "INSERT INTO webhooks (id, org_id, name, url, secret, hint) SELECT 'theirs', 'city', name, url, secret, hint FROM webhooks LIMIT 1";
  const late = await as("admin", { db: interruptedBy(theirs) }).post(PATH, INPUT);
  expect([late.status, late.json.detail]).toEqual([409, "There may be at most 10 webhooks"]);
  expect(await count()).toBe(10);
});
