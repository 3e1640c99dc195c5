import { expect, test } from "vitest";
import { setNoScriptFlash, takeNoScriptFlash } from "#app/session/flash";

/** What a browser keeps of a cookie's name and value, in bytes. */
const KEPT_BYTES = 4_096;

function shownAfter(toast: string, detail: string | null) {
  const headers = new Headers();
  setNoScriptFlash(headers, { ok: false, toast, detail });
  const [cookie = ""] = (headers.get("Set-Cookie") ?? "").split(";");
  expect(`__Host-${cookie}`.length).toBeLessThanOrEqual(KEPT_BYTES);
  return takeNoScriptFlash(new Request("https://lights.example/", { headers: { Cookie: cookie } })).flash;
}

test("a page without script is told what became of five hundred lights, as much of it as a cookie holds", () => {
  const lines = Array.from({ length: 500 }, (_, n) => `Pole ${n + 1}: the hub does not answer`);
  const flash = shownAfter("0 of 500 lights turned on; 500 failed", lines.join("\n"));
  expect(flash).toMatchObject({ ok: false, toast: "0 of 500 lights turned on; 500 failed" });
  expect(flash?.detail).toMatch(/^Pole 1: the hub does not answer\nPole 2: .*…$/s);
});

test("a cut falls between two characters, whatever their letters", () => {
  const flash = shownAfter('"'.repeat(5_000), "\u{1F386}光".repeat(5_000));
  expect(flash?.toast).toMatch(/^"+…$/);
  expect(flash?.detail).toMatch(/^(\u{1F386}光?)+…$/u);
});

test("what fits is told as it is", () => {
  expect(shownAfter("Device updated successfully", "It left 'Pitch A'\nand 'Pitch B'.")).toEqual({
    ok: false,
    toast: "Device updated successfully",
    detail: "It left 'Pitch A'\nand 'Pitch B'.",
  });
});
