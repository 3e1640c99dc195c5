import { expect, test } from "vitest";
import { localTransport } from "#durable/providers/local";
import { HOW } from "./a-park";
import { aHub, anAddress } from "./addresses";
import { aFakeServer } from "./fake-server";

/** Who may call a hub on a private address by itself. */

const bounds = (now: number) => ({ ...HOW, until: now + 5_000 });

function aDeployment(allow: { loopback: boolean; direct: boolean }) {
  const end = aFakeServer();
  const unseal = (sealed: string) => Promise.resolve(sealed);
  return { end, local: localTransport({ client: end.client, now: () => end.now, unseal, allow }) };
}

test.each(["10.0.0.1", "172.16.0.1", "192.168.1.50"])(
  "away from the hubs' network a hub at %s is refused without a call",
  async (ip_address) => {
    const { end, local } = aDeployment({ loopback: false, direct: false });
    const hub = aHub({ connection_mode: "local", ip_address });
    const detail = "Hub North hub is on a private network: assign it to an agent";
    const refused = {
      ok: false,
      reason: "refused",
      detail,
      failures: [{ where: "hub", reason: "refused" }],
      rtt_ms: 0,
    };
    expect(await local.switch(anAddress({ hub }), "on", bounds(end.now))).toMatchObject(refused);
    expect(await local.ping(hub, bounds(end.now))).toMatchObject(refused);
    expect(await local.list(hub, bounds(end.now))).toEqual({ ok: false, reason: "refused", detail });
    expect(end.asked).toEqual([]);
  },
);

test("on the hubs' own network it is called, and one on a public address everywhere", async () => {
  const here = aDeployment({ loopback: false, direct: true });
  await here.local.switch(anAddress({ hub: aHub({ ip_address: "192.168.1.50" }) }), "on", bounds(here.end.now));
  expect(here.end.asked.length).toBeGreaterThan(0);
  const away = aDeployment({ loopback: false, direct: false });
  await away.local.switch(anAddress({ hub: aHub() }), "on", bounds(away.end.now));
  expect(away.end.asked.length).toBeGreaterThan(0);
});
