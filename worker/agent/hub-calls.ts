import { httpPost, type Post } from "#durable/providers/http-post";
import { localTransport } from "#durable/providers/local";
import { FORGETFUL } from "#durable/providers/session-store";
import type { Transport } from "#durable/providers/transport";
import { yolinkClient } from "#durable/providers/yolink/client";
import type { Means } from "./means";
import { isWithin, type Network } from "./networks";

/** The clock of all calls to hubs, ms: it does not jump when the computer's is set. */
export type HubClock = () => number;

/** Speaks to hubs as the city does where it can reach them, and posts to the allowed networks only. */
export function hubCalls(
  means: Means,
  networks: Network[],
  fetcher: typeof fetch = fetch,
): Transport & { now: HubClock } {
  const began = means.wall() - means.mono();
  const now = () => Math.round(began + means.mono());
  const post = onlyTo(networks, httpPost(fetcher, means.after));
  const client = yolinkClient({ post, now, store: FORGETFUL });
  const transport = localTransport({
    client,
    now,
    unseal: (plain) => Promise.resolve(plain),
    allow: { loopback: true, direct: true },
    on_site: true,
  });
  return { ...transport, now };
}

/** The last gate: however an address came here, it is dotted and allowed, or nothing leaves. */
function onlyTo(networks: Network[], post: Post): Post {
  return (request, limits) => {
    const { hostname } = new URL(request.url);
    if (isWithin(hostname, networks)) return post(request, limits);
    return Promise.resolve({ ok: false, failure: "unsent", status: null, detail: "its address is not allowed here" });
  };
}
