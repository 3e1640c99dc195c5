import type { Server } from "./server";

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely by the tests
type Json = any;
export type Staff = { call: (method: string, path: string, body?: unknown) => Promise<Json> };

/** A demo account's use of the API of a running server; anything but a success throws with what was answered. */
export async function signedInAs(server: Pick<Server, "url">, name: "admin" | "manager" | "employee"): Promise<Staff> {
  const credentials = { email: `${name}@parks.example`, password: "lamplighter-demo" };
  const { access_token } = await send(server, "POST", "/auth/login", credentials);
  return { call: (method, path, body) => send(server, method, path, body, access_token) };
}

/** An area with a hub and so many devices, made through the API; answers the devices. */
export async function aPlace(
  staff: Staff,
  name: string,
  device_names: string[],
): Promise<{ id: string; name: string; area_id: string }[]> {
  const { data: area } = await staff.call("POST", "/areas", { name, type: "park", location: null });
  const { data: hub } = await staff.call("POST", "/hubs", { name: `${name} hub`, area_id: area.id });
  return Promise.all(
    device_names.map(async (device) => {
      const made = { name: device, area_id: area.id, hub_id: hub.id };
      return (await staff.call("POST", "/devices", made)).data;
    }),
  );
}

/** Nights of the real clock may not decide a test: no curfew, no blackout, and verification after a second. */
export async function withoutNight(admin: Staff): Promise<void> {
  const guardrails = { HARD_CURFEW_OFF: "", BLACKOUT_WINDOW: "", YOLINK_VERIFY_DELAY_SEC: 1 };
  await admin.call("POST", "/admin/settings/guardrails", guardrails);
}

async function send(
  server: Pick<Server, "url">,
  method: string,
  path: string,
  body?: unknown,
  token?: string,
): Promise<Json> {
  const response = await fetch(`${server.url}/api${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  const json: Json = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(json)}`);
  return json;
}
