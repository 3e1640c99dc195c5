import { expect, test } from "vitest";
import { withoutPrefixes, withPrefixes } from "#worker/host-cookies";

const request = (origin: string, cookie: string) => new Request(`${origin}/areas`, { headers: { Cookie: cookie } });
const answer = () =>
  new Response("", {
    headers: [
      ["Set-Cookie", "flash=signed_in; Path=/; Max-Age=60; SameSite=Lax"],
      ["Set-Cookie", "__Host-lamplighter_session=x; Path=/; Secure"],
    ],
  });

test("over https every cookie is Secure and has the __Host- prefix", () => {
  const sent = withPrefixes(request("https://city.example", ""), answer()).headers.getSetCookie();
  expect(sent).toEqual([
    "__Host-flash=signed_in; Path=/; Max-Age=60; SameSite=Lax; Secure",
    "__Host-lamplighter_session=x; Path=/; Secure",
  ]);
});

test("over https ignores a cookie without the prefix, which another host can set", () => {
  const read = withoutPrefixes(request("https://city.example", "theme=dark; __Host-theme=light; __Host-script=off"));
  expect(read.headers.get("Cookie")).toBe("theme=light; script=off");
});

test("on http://localhost cookies have names without the prefix", () => {
  const local = request("http://localhost:8787", "theme=dark");
  expect(withoutPrefixes(local).headers.get("Cookie")).toBe("theme=dark");
  expect(withPrefixes(local, answer()).headers.getSetCookie()[0]).toBe(
    "flash=signed_in; Path=/; Max-Age=60; SameSite=Lax",
  );
});
