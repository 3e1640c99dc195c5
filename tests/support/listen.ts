import { createExecutionContext } from "cloudflare:test";
import { expect, vi } from "vitest";
import { liveMessage, type LiveMessage } from "#domain/lists/live-schema";
import worker from "#worker/index";
import { bindings, ORIGIN, sessionOf } from "./door";

/** A browser's socket, and what it has heard. */
export type Listener = {
  messages: LiveMessage[];
  /** How the server closed it; null while it is open. */
  closed: { code: number; reason: string } | null;
  /** The ids of the lights that it has heard of. */
  lights: () => string[];
  close: () => void;
};

/** A request for a socket through the whole worker; with other headers, or null for none of that name. */
export function askForSocket(
  cookie: string | null,
  headers: Record<string, string | null> = {},
  query = "",
): Promise<Response> {
  const all = {
    Upgrade: "websocket",
    Origin: ORIGIN,
    Cookie: cookie === null ? null : `__Host-lamplighter_session=${cookie}`,
    ...headers,
  };
  const sent = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]]));
  const request = new Request(`${ORIGIN}/live${query}`, { headers: Object.fromEntries(sent) });
  return Promise.resolve(worker.fetch(request, bindings(), createExecutionContext()));
}

/** A socket with this session cookie, once it is open. */
export async function listen(cookie: string, query = ""): Promise<Listener> {
  const { status, webSocket } = await askForSocket(cookie, {}, query);
  if (!webSocket) throw new Error(`no socket, but ${status}`);
  const listener: Listener = {
    messages: [],
    closed: null,
    lights: () =>
      listener.messages.flatMap((message) => (message.kind === "changes" ? message.devices.map(({ id }) => id) : [])),
    close: () => webSocket.close(1000, "enough"),
  };
  webSocket.addEventListener("message", ({ data }) => {
    listener.messages.push(liveMessage.parse(JSON.parse(String(data))));
  });
  webSocket.addEventListener("close", ({ code, reason }) => {
    listener.closed = { code, reason };
  });
  webSocket.accept();
  await vi.waitFor(() => expect(listener.messages.length + (listener.closed ? 1 : 0)).toBeGreaterThan(0), PATIENCE);
  return listener;
}

/** A socket of a new session of the person. */
export async function listenAs(user_id: string, query = ""): Promise<Listener> {
  return listen(await sessionOf(user_id, "cookie"), query);
}

export const PATIENCE = { timeout: 20_000, interval: 20 };
