import { signIn } from "./api.mjs";
import { aServer } from "./server.mjs";
import { measureScreen } from "./screen.mjs";

/**
 * What Devices costs the server and the browser with so many lights more, beside the demo city on the same server: the median of
 * nine, of a visit's steps of three.
 */
export async function measure({ lights }) {
  const server = await aServer();
  try {
    const token = await signIn(server.url);
    const few = await visits(server.url, token);
    await grow(server.d1, lights);
    const many = await visits(server.url, token);
    return Object.keys(few).map((step) => ({
      work: `Devices with ${lights} lights: ${step}`,
      unit: "ms",
      value: many[step],
      floor: few[step],
      note: "floor: the demo city",
    }));
  } finally {
    await server.stop();
  }
}

async function visits(url, token) {
  const headers = {
    "Content-Type": "application/json",
    Authorization: `Bearer ${token}`,
    Cookie: `lamplighter_session=${token}`,
  };
  const into = {};
  const ask = async (path, init) => {
    const answer = await fetch(url + path, { headers, ...init });
    await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  };
  const { data } = await (await fetch(`${url}/api/devices`, { headers })).json();
  const [{ id, ...device }] = data;
  const send = (method, body) => ({ method, body: JSON.stringify(body) });
  let rules = 0; // each time others: the engine looks at every light
  const steps = {
    "the page": () => ask("/devices"),
    "a poll": () => ask("/devices.data"),
    "the last page": () => ask("/devices.data?page=9999"),
    "a search": () => ask("/devices.data?q=car%20park"),
    "quick search": () => ask("/find.data?q=car%20park"),
    history: () => ask("/history.data"),
    "connectivity test": () => ask("/connectivity.data"),
    "new rules": () =>
      ask("/api/admin/settings/guardrails", send("POST", { MAX_ON_DURATION_MIN: 239 + (rules++ % 2) })),
    "a press behind new rules": async () => {
      const rules_told = steps["new rules"]();
      await ask(`/api/devices/${id}/toggle`, send("POST", { action: "off" }));
      return () => rules_told;
    },
    "an edit": () => ask(`/api/devices/${id}`, send("PUT", device)),
    "a press": () => ask(`/api/devices/${id}/toggle`, send("POST", { action: "off" })),
    "a press after an edit": async () => {
      await ask(`/api/devices/${id}`, send("PUT", device));
      await ask(`/api/devices/${id}/toggle`, send("POST", { action: "off" }));
    },
  };
  for (const [step, work] of Object.entries(steps)) {
    await work(); // warm; in the large city the first press waits for the engine to have read it
    const times = [];
    for (let time = 0; time < 9; time += 1) {
      const began = performance.now();
      const rest = await work();
      times.push(performance.now() - began);
      await rest?.();
    }
    into[step] = times.toSorted((a, b) => a - b)[4];
  }
  return { ...into, ...(await measureScreen(url, token)) };
}

/** A hub and an area for every hundred lights, and a weekly schedule for each. */
async function grow(d1, lights) {
  const numbers = (count) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const places = Math.ceil(lights / 100);
  await d1.batch(
    [
      `${numbers(places)} INSERT INTO areas (id, org_id, name) SELECT 'a' || i, 'demo-parks', 'Area ' || i FROM n`,
      `${numbers(places)} INSERT INTO hubs (id, org_id, area_id, name) SELECT 'h' || i, 'demo-parks', 'a' || i, 'Hub' FROM n`,
      `${numbers(lights)} INSERT INTO devices (id, org_id, area_id, hub_id, name, model, current_state)
         SELECT 'd' || i, 'demo-parks', 'a' || (i % ${places} + 1), 'h' || (i % ${places} + 1),
                printf('Light %05d', i), 'LumaPole 60', iif(i % 3 = 0, 'on', 'off') FROM n`,
      `${numbers(lights)} INSERT INTO schedules (id, org_id, device_id, title, start_at, end_at, rrule, timezone)
         SELECT 's' || i, 'demo-parks', 'd' || i, 'Practice', printf('2026-01-05T%02d:%02d:00.000Z', i % 4, i % 60),
                printf('2026-01-05T%02d:%02d:00.000Z', i % 4 + 2, i % 60), 'FREQ=WEEKLY;BYDAY=MO,WE', 'UTC' FROM n`,
    ].map((sql) => d1.prepare(sql)),
  );
}
