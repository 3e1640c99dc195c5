import { cookieOf, signIn } from "./api.mjs";
import { grow } from "./grow.mjs";
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
    const cookie = await cookieOf(server.url);
    const few = await visits(server.url, token, cookie);
    await grow(server.d1, { areas: Math.ceil(lights / 100), lights, schedules: lights });
    const many = await visits(server.url, token, cookie);
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

async function visits(url, token, cookie) {
  const headers = {
    "Content-Type": "application/json",
    Authorization: `Bearer ${token}`,
    Cookie: cookie,
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
  return { ...into, ...(await measureScreen(url, cookie)) };
}
