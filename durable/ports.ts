import { database } from "#db/database";
import { organizationHash } from "#db/organization-hash";
import { open } from "#db/sealed";
import { memoize } from "#domain/memoize";
import { toIso } from "#domain/time/to-iso";
import { AGENTS_TAG, agentTag } from "./agents/door";
import { planKey } from "./agents/plan-key";
import { BROWSERS_TAG } from "./live/accept";
import { after } from "./providers/after";
import { AgentLines } from "./providers/agent-lines";
import { httpPost } from "./providers/http-post";
import { postByRunners, RUNNERS } from "./providers/runners";
import { selectProviders } from "./providers/select";
import { twilio } from "./providers/twilio";
import { agentName } from "./state/agent-links";
import { meta } from "./state/meta";
import type { Ports } from "./state/context";
import { settingsOf } from "./state/plan";

/** What every platform gives, for a deployment that says nothing. */
const FEWEST_CONNECTIONS = 6;

/** What the engine needs of the outside world, from the platform and its bindings. */
export function portsOf(ctx: DurableObjectState, env: Env): Ports {
  const { storage, id } = ctx;
  const { sql } = storage;
  const now = () => Date.now();
  const connections = Number(env.CONNECTIONS) || FEWEST_CONNECTIONS;
  const runners = connections > FEWEST_CONNECTIONS ? 0 : RUNNERS;
  const runnerOf = (n: number) => env.RUNNER.get(env.RUNNER.idFromName(`${id.toString()} ${n}`));
  const options = {
    settings_key: env.SETTINGS_KEY,
    demo: env.DEMO === "on",
    direct_hubs: env.DIRECT_HUBS === "on",
    ...(runners > 0 && { post: postByRunners(runnerOf, runners) }),
  };
  const agents = new AgentLines({
    lines: (agent_id) =>
      ctx.getWebSockets(agent_id === undefined ? AGENTS_TAG : agentTag(agent_id)).map((socket) => ({
        socket,
        pinged_at: ctx.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? null,
      })),
    now,
    after,
  });
  const hashes = memoize<string, string>(1);
  const org = () => {
    const org_id = meta(sql, "org_id");
    return org_id === null ? null : hashes(org_id, () => organizationHash(org_id, env.SESSION_SECRET));
  };
  const nameOf = (agent_id: string) => agentName(sql, agent_id, now());
  return {
    storage,
    sql,
    db: database(env.DB),
    providers: selectProviders({ sql, now, after, settings: () => settingsOf(sql), agents, nameOf }, options),
    agents,
    direct_hubs: options.demo || options.direct_hubs,
    unseal: (sealed) => open(sealed, env.SETTINGS_KEY),
    planKey: () => planKey(env.SETTINGS_KEY, meta(sql, "org_id") ?? ""),
    now,
    after,
    connections,
    runners,
    sockets: () => ctx.getWebSockets(BROWSERS_TAG),
    // By its level, or whoever looks for errors finds none, and `npm start` prints none.
    log: (line) => console[line.level](JSON.stringify({ at: toIso(now()), object: "scheduler", org: org(), ...line })),
    measure: (points) => {
      const name = org();
      if (env.METRICS && name !== null) for (const point of points(name)) env.METRICS.writeDataPoint(point);
    },
    sms: twilio({
      account_sid: env.TWILIO_ACCOUNT_SID,
      auth_token: env.TWILIO_AUTH_TOKEN,
      from: env.TWILIO_FROM,
    }),
    post: httpPost((url, init) => fetch(url, init), after),
    loopback: options.demo,
  };
}
