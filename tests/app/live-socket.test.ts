import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reloads } from "#app/live/reloads";
import { keepSocket } from "#app/live/socket";
import type { LiveMessage } from "#domain/lists/live-schema";

/** A page, as far as a socket knows one. */
class Page extends EventTarget {
  hidden = false;
  set(hidden: boolean): void {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
  }
}

/** The server's end: each socket that the page has opened. */
class Socket extends EventTarget {
  static all: Socket[] = [];
  readonly sent: string[] = [];
  isClosed = false;
  constructor(readonly url: string) {
    super();
    Socket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.isClosed = true;
  }
  tells(message: LiveMessage | "pong"): void {
    const data = message === "pong" ? message : JSON.stringify(message);
    this.dispatchEvent(Object.assign(new Event("message"), { data }));
  }
  ends(code: number): void {
    this.dispatchEvent(Object.assign(new Event("close"), { code }));
  }
}

let page: Page;
let windowEvents: EventTarget;
let said: (string | boolean)[] = [];
const heard = {
  message: ({ kind }: LiveMessage) => void said.push(kind),
  well: (isWell: boolean) => void said.push(isWell),
  signedOut: () => void said.push("signed out"),
};
const last = () => {
  const socket = Socket.all.at(-1);
  if (!socket) throw new Error("no socket was opened");
  return socket;
};

beforeEach(() => {
  vi.useFakeTimers();
  page = new Page();
  windowEvents = new EventTarget();
  said = [];
  Socket.all = [];
  vi.stubGlobal("document", page);
  vi.stubGlobal("location", { href: "https://lights.example/devices", protocol: "https:" });
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("addEventListener", windowEvents.addEventListener.bind(windowEvents));
  vi.stubGlobal("removeEventListener", windowEvents.removeEventListener.bind(windowEvents));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a socket that cannot be opened is asked for less and less often", async () => {
  const end = keepSocket(heard);
  const counts: number[] = [];
  for (let minute = 0; minute < 10; minute += 1) {
    const before = Socket.all.length;
    for (let second = 0; second < 60; second += 1) {
      last().ends(1006);
      await vi.advanceTimersByTimeAsync(1_000);
    }
    counts.push(Socket.all.length - before);
  }
  const [first = 0, ...rest] = counts;
  expect(first).toBeGreaterThan(2);
  expect(first).toBeLessThan(9);
  expect(Math.max(...rest)).toBeLessThanOrEqual(3);
  end();
});

test("whoever comes back says what it has, and the first time how old its page is", () => {
  const end = keepSocket(heard);
  expect(last().url).toMatch(/^wss:\/\/lights\.example\/live\?age=\d+$/);
  last().tells({ kind: "hello", version: 5 });
  last().tells({ kind: "changes", version: 7, devices: [], lists: [], spread_ms: 0 });
  expect(said).toEqual([true, "hello", "changes"]);
  last().ends(1006);
  vi.advanceTimersByTime(2_000);
  expect(Socket.all).toHaveLength(2);
  expect(last().url).toMatch(/\?since=7$/);
  last().ends(4403);
  vi.advanceTimersByTime(1_000);
  expect(last().url).toMatch(/\?since=0$/);
  end();
});

test("a line that is silent is given up, one that answers is kept", () => {
  const end = keepSocket(heard);
  last().tells({ kind: "hello", version: 5 });
  vi.advanceTimersByTime(26_000);
  expect(last().sent).toEqual(["ping"]);
  last().tells("pong");
  vi.advanceTimersByTime(20_000);
  expect(last().isClosed).toBe(false);
  const first = last();
  vi.advanceTimersByTime(16_000);
  expect(first.isClosed).toBe(true);
  expect(said.at(-1)).toBe(false);
  end();
});

test("a tab that is hidden for long closes its socket, and opens another when it is seen", () => {
  const end = keepSocket(heard);
  last().tells({ kind: "hello", version: 5 });
  page.set(true);
  for (let n = 0; n < 25; n += 1) {
    vi.advanceTimersByTime(13_000);
    last().tells("pong");
  }
  expect(last().isClosed).toBe(true);
  expect(Socket.all).toHaveLength(1);
  page.set(false);
  expect(Socket.all).toHaveLength(2);
  end();
});

test("a page without a network drops the socket at once, and asks again when it is back", () => {
  const end = keepSocket(heard);
  last().tells({ kind: "hello", version: 5 });
  windowEvents.dispatchEvent(new Event("offline"));
  expect(said.at(-1)).toBe(false);
  windowEvents.dispatchEvent(new Event("online"));
  expect(Socket.all).toHaveLength(2);
  end();
});

test("a person who has signed out is told so once", () => {
  const end = keepSocket(heard);
  last().tells({ kind: "hello", version: 5 });
  last().ends(4401);
  expect(said).toEqual([true, "hello", false, "signed out"]);
  end();
});

test("however often lists change, they are loaded at most every three seconds", () => {
  const loaded: number[] = [];
  const { ask, stop } = reloads(
    () => void loaded.push(Date.now()),
    () => false,
    () => loaded.at(-1) ?? null,
  );
  for (let second = 0; second < 60; second += 1) {
    ask("lists", 200);
    vi.advanceTimersByTime(1_000);
  }
  expect(loaded.length).toBeGreaterThan(10);
  for (const [n, at] of loaded.entries()) if (n > 0) expect(at - (loaded[n - 1] ?? 0)).toBeGreaterThanOrEqual(3_000);
  stop();
});

test("two hundred browsers in a storm load no more often than if they polled", () => {
  let count = 0;
  const { ask, stop } = reloads(
    () => void (count += 1),
    () => false,
    () => Date.now(),
  );
  for (let second = 0; second < 120; second += 1) {
    ask("counts", 1_000);
    vi.advanceTimersByTime(1_000);
  }
  expect(count).toBeGreaterThan(2);
  expect(count).toBeLessThanOrEqual(120 / 20 + 1);
  stop();
});

test("a hidden tab loads once, when it is seen; one that is busy loads afterwards", () => {
  let count = 0;
  let isBusy = true;
  const { ask, stop } = reloads(
    () => void (count += 1),
    () => isBusy,
    () => Date.now(),
  );
  page.hidden = true;
  ask("lists", 0);
  vi.advanceTimersByTime(60_000);
  expect(count).toBe(0);
  page.set(false);
  expect(count).toBe(0);
  isBusy = false;
  vi.advanceTimersByTime(2_000);
  expect(count).toBe(1);
  vi.advanceTimersByTime(60_000);
  expect(count).toBe(1);
  stop();
});

test("what changes is loaded also after the device's clock was set back by hours", () => {
  let count = 0;
  const { ask, stop } = reloads(
    () => void (count += 1),
    () => false,
    () => Date.now(),
  );
  ask("lists", 0);
  vi.advanceTimersByTime(1_000);
  vi.setSystemTime(Date.now() - 3 * 3_600_000);
  ask("lists", 0);
  vi.advanceTimersByTime(5_000);
  expect(count).toBe(2);
  stop();
});

test("a load that was cut off is asked for again, less and less often, and no more once it came", () => {
  const asked: number[] = [];
  let came_at: number | null = Date.now() - 1;
  const { ask, stop } = reloads(
    () => void asked.push(Date.now()),
    () => false,
    () => came_at,
  );
  ask("lists", 0);
  vi.advanceTimersByTime(1);
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(11_000);
  expect(asked).toHaveLength(2);
  vi.advanceTimersByTime(60 * 60_000);
  expect(asked.length).toBeGreaterThan(12);
  expect(asked.length).toBeLessThan(20);

  came_at = Infinity;
  vi.advanceTimersByTime(6 * 60_000);
  const [count] = [asked.length];
  vi.advanceTimersByTime(60 * 60_000);
  expect(asked).toHaveLength(count);
  came_at = null; // a screen without lists
  ask("lists", 0);
  vi.advanceTimersByTime(60 * 60_000);
  expect(asked).toHaveLength(count + 1);
  stop();
});
