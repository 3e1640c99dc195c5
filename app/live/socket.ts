import { hasTimedOut } from "#app/session/activity";
import { LIVE_CLOSE, LIVE_PATH, PING, PONG } from "#domain/lists/live";
import type { LiveMessage } from "#domain/lists/live-schema";

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A line that nobody uses is cut by routers and proxies after a minute or so. */
const PING_EVERY_MS = 25_000;
const PONG_WITHIN_MS = 10_000;
/** A tab that nobody has looked at for so long needs no socket. */
const HIDDEN_FOR_MS = 300_000;

type Heard = {
  message: (message: LiveMessage) => void;
  /** Whether the socket is open and answers. */
  well: (isWell: boolean) => void;
  /** The server says that nobody is signed in. */
  signedOut: () => void;
};

/**
 * Keeps a socket open while the tab is seen, and opens it again, each time with a longer pause, when it is lost. Whoever
 * comes back is told what was missed. Returns a function that ends it.
 */
export function keepSocket(heard: Heard): () => void {
  let socket: WebSocket | null = null;
  let version: number | null = null;
  let losses = 0;
  let timers: ReturnType<typeof setTimeout>[] = [];
  let hiding: ReturnType<typeof setTimeout> | undefined;

  const later = (ms: number, then: () => void) => void timers.push(setTimeout(then, ms));
  function clear(): void {
    for (const timer of timers) clearTimeout(timer);
    timers = [];
  }

  function open(): void {
    clear();
    if (socket || document.hidden) return;
    if (hasTimedOut()) return later(FIRST_PAUSE_MS, open);
    const opened = new WebSocket(addressOf(version));
    socket = opened;
    opened.addEventListener("message", ({ data }) => {
      if (socket === opened) hear(String(data));
    });
    opened.addEventListener("close", ({ code }) => {
      if (socket === opened) lose(code);
    });
  }

  function hear(text: string): void {
    clear();
    later(PING_EVERY_MS, ping);
    const message = text === PONG ? null : parsed(text);
    if (message === null) return;
    version = message.version;
    if (message.kind === "hello") {
      losses = 0;
      heard.well(true);
    }
    heard.message(message);
  }

  function ping(): void {
    socket?.send(PING);
    later(PONG_WITHIN_MS, () => drop());
  }

  /** Does not wait for the other side, which may be far away by now. */
  function drop(): void {
    socket?.close();
    lose(1_000);
  }

  function lose(code: number): void {
    clear();
    socket = null;
    heard.well(false);
    if (code === LIVE_CLOSE.signed_out) heard.signedOut();
    // What is seen now is another thing than what was told.
    if (code === LIVE_CLOSE.changed) version = 0;
    losses = code === LIVE_CLOSE.too_many ? LONGEST_PAUSE_MS : losses + 1;
    if (document.hidden) return;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (losses - 1), LONGEST_PAUSE_MS);
    later(code === LIVE_CLOSE.changed ? FIRST_PAUSE_MS * Math.random() : pause * (0.5 + Math.random()), open);
  }

  function onSeen(): void {
    clearTimeout(hiding);
    if (!document.hidden) return open();
    hiding = setTimeout(() => socket && drop(), HIDDEN_FOR_MS);
  }
  const offLine = () => socket && drop();
  const onLine = () => {
    losses = 0;
    open();
  };
  document.addEventListener("visibilitychange", onSeen);
  addEventListener("offline", offLine);
  addEventListener("online", onLine);
  open();

  return () => {
    clear();
    clearTimeout(hiding);
    document.removeEventListener("visibilitychange", onSeen);
    removeEventListener("offline", offLine);
    removeEventListener("online", onLine);
    const last = socket;
    socket = null;
    last?.close();
  };
}

/** With the version that the page has or, of one that was just loaded, how old it is (ms). */
function addressOf(version: number | null): string {
  const url = new URL(LIVE_PATH, location.href);
  if (version === null) url.searchParams.set("age", String(Math.ceil(performance.now())));
  else url.searchParams.set("since", String(version));
  url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** Null for what another release may say. The server is ours, so its words are not checked further. */
function parsed(text: string): LiveMessage | null {
  const value: unknown = JSON.parse(text);
  return isMessage(value) ? value : null;
}

function isMessage(value: unknown): value is LiveMessage {
  return typeof value === "object" && value !== null && "kind" in value && KINDS.has(value.kind);
}

const KINDS = new Set<unknown>(["hello", "changes", "reload"] satisfies LiveMessage["kind"][]);
