import { expect, test } from "vitest";
import { agentIdIn, parseConfig, socketUrl } from "#worker/agent/config";
import { isWithin, parseNetwork } from "#worker/agent/networks";

const SECRET = `lla_a_1_${"x".repeat(42)}_`;
const GOOD = { url: "https://lights.city.gov", secret: SECRET, networks: ["192.168.1.0/24"] };

function read(given: object) {
  return parseConfig(JSON.stringify({ ...GOOD, ...given }));
}

test("a whole file is read, and says whose agent it is", () => {
  const parsed = read({});
  expect(parsed).toMatchObject({ ok: true, config: { hubs: {} } });
  expect(agentIdIn(SECRET)).toBe("a_1");
  expect(parsed.ok && socketUrl(parsed.config.url)).toBe("wss://lights.city.gov/api/agent");
});

test.each([
  ["http://lights.city.gov", "url must be the https address of Lamplighter, and is 'http://lights.city.gov'"],
  ["https://me:secret@lights.city.gov", "url must be the https address"],
  ["ftp://lights.city.gov", "url must be the https address"],
])("nothing goes to %s", (url, detail) => {
  expect(read({ url })).toMatchObject({ ok: false, detail: expect.stringContaining(detail) });
});

test("only on this very computer TLS is not needed", () => {
  expect(read({ url: "http://localhost:8787" })).toMatchObject({ ok: true });
  expect(read({ url: "http://127.0.0.1:8787" })).toMatchObject({ ok: true });
  expect(read({ url: "http://127.0.0.1.nip.io:8787" })).toMatchObject({ ok: false });
});

test.each([
  "0.0.0.0/0",
  "8.8.8.0/24",
  "169.254.0.0/16",
  "127.0.0.0/8",
  "192.168.0.0/15",
  "172.0.0.0/8",
  "100.64.0.0/10",
])("%s is not private, so the file may not allow it", (network) => {
  expect(read({ networks: [network] })).toMatchObject({
    ok: false,
    detail: "networks may name private networks only (10., 172.16. or 192.168.)",
  });
});

test("what is wrong with the file is said in a sentence", () => {
  const lost = `{"url":"https://lights.city.gov" "secret":"${SECRET}"}`;
  for (const text of ["", "{", "[]", lost]) {
    const detail = "it can't be read: a comma, a quote or a bracket is missing or too many";
    expect(parseConfig(text)).toEqual({ ok: false, detail });
  }
  expect(read({ networks: ["the park"] })).toEqual({
    ok: false,
    detail: "'the park' is not a network such as 192.168.1.0/24",
  });
  expect(read({ networks: undefined })).toEqual({ ok: false, detail: "networks is missing" });
  expect(read({ networks: "10.0.0.0/8" })).toEqual({ ok: false, detail: "networks must be a list in [ ]" });
  expect(read({ hubs: { "North hub": "key" } })).toEqual({
    ok: false,
    detail: "hubs, North hub must be a group in { }",
  });
  expect(read({ hubs: { "North hub": { client_id: "a" } } })).toEqual({
    ok: false,
    detail: "hubs, North hub, client_secret is missing",
  });
  expect(read({ url: 1 })).toEqual({ ok: false, detail: "url must be text in quotes" });
  expect(read({ secret: "lla_short" })).toMatchObject({
    ok: false,
    detail: expect.stringContaining("it begins with lla_"),
  });
});

test("an address is in a network by its number, and a name never is", () => {
  const networks = ["192.168.1.0/24", "10.1.2.3", "172.16.0.0/12"].flatMap((text) => parseNetwork(text) ?? []);
  const inside = ["192.168.1.0", "192.168.1.255", "10.1.2.3", "172.31.255.255"];
  const outside = ["192.168.2.0", "10.1.2.4", "172.32.0.0", "0192.168.1.1", "3232235777", "hub.local", "192.168.1", ""];
  expect(inside.filter((address) => !isWithin(address, networks))).toEqual([]);
  expect(outside.filter((address) => isWithin(address, networks))).toEqual([]);
});
