import { LIVE_CLOSE } from "#domain/lists/live";
import type { LiveMessage } from "#domain/lists/live-schema";
import { transact, type EngineContext } from "#durable/state/context";
import { putTimerIfNone } from "#durable/state/timers";
import { join, textOf } from "./push";
import { CHECKED_EVERY_MS } from "./sessions";
import type { SocketRequest } from "./request";
import type { Subscriber } from "./subscriber";

/** A person has few windows; a page that opens sockets in a loop stops here. */
const MOST_SOCKETS = 20;
const TOO_MANY = `At most ${MOST_SOCKETS} windows of one person are kept up to date; this one asks every now and then.`;

/** Of every browser's socket. */
export const BROWSERS_TAG = "browsers";

/** What the platform does for sockets. */
type Sockets = Pick<DurableObjectState, "acceptWebSocket" | "getWebSockets">;

/**
 * Opens a socket for a signed-in person's browser. `since` is the version that it has, or, of a page that was just loaded,
 * `age_ms` how old its data are; what has changed since then follows in the next message.
 */
export function acceptSocket(
  context: EngineContext,
  sockets: Sockets,
  subscriber: Subscriber,
  { since, age_ms }: Pick<SocketRequest, "since" | "age_ms">,
): Response {
  const [browser, socket] = Object.values(new WebSocketPair());
  if (!browser || !socket) throw new Error("the platform gave no sockets");
  const tag = `user:${subscriber.user_id}`;
  if (sockets.getWebSockets(tag).length >= MOST_SOCKETS) {
    socket.accept();
    socket.close(LIVE_CLOSE.too_many, TOO_MANY);
    return new Response(null, { status: 101, webSocket: browser });
  }
  const { version } = context.backlog;
  const heard = since ?? Math.min(version, context.now() - age_ms);
  sockets.acceptWebSocket(socket, [BROWSERS_TAG, tag]);
  socket.serializeAttachment(subscriber);
  socket.send(textOf({ kind: "hello", version: heard } satisfies LiveMessage));
  join(context, socket, heard);
  transact(context, () => putTimerIfNone(context.sql, "sockets", "", context.now() + CHECKED_EVERY_MS));
  return new Response(null, { status: 101, webSocket: browser });
}
