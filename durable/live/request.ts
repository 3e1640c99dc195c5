import { z } from "zod";
import { subscriber, type Subscriber } from "./subscriber";

/** What the worker, which has checked who it is, asks of the object: a socket for this person's browser. */
export type SocketRequest = { org_id: string; subscriber: Subscriber; since: number | null; age_ms: number };

/** Only the worker reaches the object, and with it this header. */
const HEADER = "X-Subscriber";

const socketRequest = z.object({
  org_id: z.string(),
  subscriber,
  since: z.number().int().nullable(),
  age_ms: z.number().int().nonnegative(),
});

/** The request as the worker sends it to the object. */
export function toObject(asked: SocketRequest): Request {
  const headers = { Upgrade: "websocket", [HEADER]: encodeURIComponent(JSON.stringify(asked)) };
  return new Request("https://object/live", { headers });
}

/** What the worker has sent; throws where it is something else. */
export function fromWorker(request: Request): SocketRequest {
  return socketRequest.parse(JSON.parse(decodeURIComponent(request.headers.get(HEADER) ?? "")));
}
