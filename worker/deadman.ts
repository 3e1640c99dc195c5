import { causeOf } from "#domain/errors";
import { isLocalName } from "#domain/fields/local-name";
import { log } from "#worker/log";
import { withPatience } from "#worker/patience";

/** How long the watching service may take. */
const PATIENCE_MS = 10_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The address that a service outside expects to be called at, from DEADMAN_URL; null where it is unset or none. It must be
 * https and a name: the city's own network, and this machine, are nobody who would notice.
 */
export function deadmanUrl(setting: string | undefined): URL | null {
  const given = (setting ?? "").trim();
  if (!URL.canParse(given)) return null;
  const url = new URL(given);
  if (url.protocol !== "https:" || url.username !== "" || url.password !== "") return null;
  const isName = /^(?=.*[a-z])[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(url.hostname);
  return isName && !isLocalName(url.hostname) ? url : null;
}

/**
 * Tells the watching service that every scheduler is on time. Whoever calls this only then makes silence the alarm. Redirects
 * are not followed and the answer's body is not read; a call that fails is logged, without the address, which is a secret.
 * Never rejects. Answers whether the service has taken it.
 */
export async function pingDeadman(setting: string | undefined, fetch: Fetch): Promise<boolean> {
  const url = deadmanUrl(setting);
  if (url === null) {
    if (setting?.trim()) log("error", "deadman.malformed", { detail: "DEADMAN_URL must be a public https address" });
    return false;
  }
  const calling = new AbortController();
  try {
    const { signal } = calling;
    const response = await withPatience(fetch(url.href, { method: "GET", redirect: "manual", signal }), PATIENCE_MS);
    void response.body?.cancel().catch(() => undefined);
    if (!response.ok) log("error", "deadman.refused", { status: response.status });
    return response.ok;
  } catch (caught) {
    log("error", "deadman.failed", { error: causeOf(caught).error.replaceAll(url.href, "DEADMAN_URL") });
    calling.abort();
    return false;
  }
}
