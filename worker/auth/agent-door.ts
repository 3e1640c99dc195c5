import { agentAtDoor } from "#db/agents";
import { loginAttempts } from "#db/login-attempts";
import type { Knocking } from "#durable/agents/door-request";
import { Refusal } from "#domain/errors";
import { agentNamedBy, isSecretOf } from "#worker/auth/agent-secret";
import type { AuthDeps } from "#worker/auth/deps";

/** Failed tries of one address in 15 minutes. They are kept for a day. */
const MOST_FAILURES = 20;
const WINDOW_MS = 15 * 60_000;
const KEPT_MS = 24 * 60 * 60_000;
/** In the place of an e-mail: which of an address's failures are agents'. */
const AGENT = "agent";
/** The hash of no secret, so that an unknown agent is refused as slowly as a known one. */
const NO_HASH = "0".repeat(64);

type Deps = Pick<AuthDeps, "db" | "address" | "now"> & { agent_tries: RateLimit };

/**
 * The agent whose secret the Authorization header carries. A right secret is let in however many failures its address has:
 * a stranger on the same network must not lock the park out, and nobody guesses 256 random bits. Refuses with
 * `unauthenticated`, `forbidden` for a revoked agent, and `too_many`.
 */
export async function admitAgent(deps: Deps, authorization: string | undefined): Promise<Knocking> {
  if (!(await deps.agent_tries.limit({ key: deps.address })).success) throw tooMany(60_000);
  const secret = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1] ?? "";
  const agent_id = agentNamedBy(secret);
  const row = agent_id === null ? undefined : await agentAtDoor(deps.db, agent_id);
  const isRight = isSecretOf(secret, row?.secret_hash ?? NO_HASH);
  if (agent_id === null || !row || !isRight) throw await failure(deps);
  if (row.revoked_at !== null) throw new Refusal("forbidden", REVOKED);
  return { org_id: row.org_id, agent_id, generation: row.generation };
}

export const REVOKED = "This agent was revoked. A new secret of it, from Settings, On-site Agents, lets it in again.";

/** Counts the try: one statement asks and counts, so that simultaneous tries count like consecutive ones. */
async function failure({ db, address, now }: Deps): Promise<Refusal> {
  const at = now().getTime();
  // A count of their own: an agent with an old secret must not keep the people at its address from signing in.
  const tries = loginAttempts(db, `agent:${address}`);
  const account_since = isoOf(at - KEPT_MS);
  const bounds = { per_email: MOST_FAILURES, per_address: MOST_FAILURES, per_account: Number.MAX_SAFE_INTEGER };
  const [counted] = await db.batch([
    tries.record(AGENT, isoOf(at), { ...bounds, since: isoOf(at - WINDOW_MS), account_since }),
    tries.forgetBefore(account_since),
  ]);
  if (counted.length === 0) return tooMany(WINDOW_MS);
  return new Refusal("unauthenticated", "This is not the secret of an agent");
}

function tooMany(wait_ms: number): Refusal {
  const minutes = wait_ms / 60_000;
  const when = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return new Refusal("too_many", `Too many tries. Try again in ${when}.`, { retry_after_sec: wait_ms / 1000 });
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
