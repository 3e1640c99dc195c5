import { agentAtDoor } from "#db/agents";
import type { Knocking } from "#durable/agents/door-request";
import { agentNamedBy } from "#domain/agent/agent-secret";
import { Refusal } from "#domain/errors";
import { isSecretOf } from "#worker/auth/agent-secret";
import { bearerOf, failedTry, tooManyTries } from "#worker/auth/bearer-tries";
import type { AuthDeps } from "#worker/auth/deps";

/** The hash of no secret, so that an unknown agent is refused as slowly as a known one. */
const NO_HASH = "0".repeat(64);

type Deps = Pick<AuthDeps, "db" | "address" | "now"> & { agent_tries: RateLimit };

/**
 * The agent whose secret the Authorization header carries. A right secret is let in however many failures its address has:
 * a stranger on the same network must not lock the park out, and nobody guesses 256 random bits. Refuses with
 * `unauthenticated`, `forbidden` for a revoked agent, and `too_many`.
 */
export async function admitAgent(deps: Deps, authorization: string | undefined): Promise<Knocking> {
  if (!(await deps.agent_tries.limit({ key: deps.address })).success) throw tooManyTries(60_000);
  const secret = bearerOf(authorization);
  const agent_id = agentNamedBy(secret);
  const row = agent_id === null ? undefined : await agentAtDoor(deps.db, agent_id);
  const isRight = isSecretOf(secret, row?.secret_hash ?? NO_HASH);
  if (agent_id === null || !row || !isRight) throw await failure(deps);
  if (row.revoked_at !== null) throw new Refusal("forbidden", REVOKED);
  return { org_id: row.org_id, agent_id, generation: row.generation };
}

export const REVOKED = "This agent was revoked. A new secret of it, from Settings, On-site Agents, lets it in again.";

function failure({ db, address, now }: Deps): Promise<Refusal> {
  return failedTry(db, { who: "agent", address, at: now().getTime(), says: "This is not the secret of an agent" });
}
