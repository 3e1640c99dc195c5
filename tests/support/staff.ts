import type { Server } from "./server";

// oxlint-disable-next-line typescript/no-explicit-any -- tests read the answers freely
type Json = any;
export type Staff = { call: (method: string, path: string, body?: unknown) => Promise<Json> };

/** Calls a running server's API as a demo account; throws the answer of a failed call. */
export async function signedInAs(server: Pick<Server, "url">, name: "admin" | "manager" | "employee"): Promise<Staff> {
  const credentials = { email: `${name}@parks.example`, password: "lamplighter-demo" };
  const { access_token } = await send(server, "POST", "/auth/login", credentials);
  return { call: (method, path, body) => send(server, method, path, body, access_token) };
}

/** Creates an area with a hub and `count` devices through the API; returns the devices. */
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

/** The device of the city that has the name. */
export async function deviceNamed(staff: Staff, name: string): Promise<{ id: string; area_id: string }> {
  const { data } = await staff.call("GET", "/devices");
  return data.find((device: { name: string }) => device.name === name);
}

/** Settings without curfew and blackout, so that no test depends on the hour, and with verification after a second. */
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
    headers: {
      "Content-Type": "application/json",
      // A line that is kept is used in the moment in which the server closes it, as on a busy machine it is.
      Connection: "close",
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  const json: Json = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(json)}`);
  return json;
}
