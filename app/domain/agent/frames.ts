import { z } from "zod";
import { CONNECTION_MODES, DEVICE_STATES, PROVIDER_MODES, SWITCH_ACTIONS } from "#domain/enums";

/** The protocol's version: the object speaks this one and the one before, an agent from the first to the last of its own. */
export const PROTO = 1;
export const OLDEST_PROTO = 1;

/** A frame is JSON text of at most so many bytes; a longer plan comes in parts. */
export const MOST_FRAME_BYTES = 65_536;

/** Where an agent opens its socket, with its secret as the bearer of the Authorization header. */
export const AGENT_PATH = "/api/agent";

/** Why a socket is closed, the code and what it means on both ends. After `again` the agent may come back at once. */
export const AGENT_CLOSE = {
  not_json: 1003,
  bad_shape: 1008,
  too_big: 1009,
  again: 1012,
  revoked: 4403,
  silent: 4408,
  replaced: 4409,
  protocol: 4426,
  too_many: 4429,
} as const;

/** What keeps the line alive; the platform answers it without waking the object. */
export const AGENT_PING = "ping";
export const AGENT_PONG = "pong";

const id = z.string().min(1).max(100);
const instant = z.number().int().nonnegative();
const sentence = z.string().max(500);
const lampState = z.enum(DEVICE_STATES);

/** The hub as the engine's address has it, without secrets: those come with `welcome`. */
const hubAddress = z.object({
  id,
  name: z.string(),
  ip_address: z.string().nullable(),
  port: z.number().int().min(1).max(65_535),
  connection_mode: z.enum(CONNECTION_MODES),
});

/** A hub as an agent is told of it. */
export const assignedHub = hubAddress.extend({
  /** Null where the agent's own file has them. */
  credentials: z.object({ client_id: z.string(), client_secret: z.string() }).nullable(),
});
export type AssignedHub = z.infer<typeof assignedHub>;

/** How an agent reaches a lamp, in a frame and in the plan that it keeps. */
export const lampAddress = z.object({
  mode: z.enum(PROVIDER_MODES),
  lamp: z.string(),
  cloud_device_id: z.string().nullable(),
  local_ref: z.string().nullable(),
  model: z.string().nullable(),
  on_payload: z.string().nullable(),
  off_payload: z.string().nullable(),
  /** An older server does not say it. */
  is_rest: z.boolean().optional(),
});
export type LampAddress = z.infer<typeof lampAddress>;

const answered = {
  http_status: z.number().int().nullable(),
  /** In our own words. */
  snippet: z.string().max(200),
  rtt_ms: z.number().nonnegative(),
};

/** A device in a hub's own list. */
const listed = z.object({
  id: z.string().max(200),
  name: z.string().max(200),
  type: z.string().max(200),
  model: z.string().max(200),
});

/** What was wrong on the agent's side of the line. */
const failure = z.object({
  where: z.enum(["device", "hub"]),
  reason: z.enum(["timeout", "unreachable", "device", "throttled", "refused"]),
});

/**
 * What a `cmd` has come to: the result of the agent's local transport, as it is, and two reasons of the agent's own, with
 * which nothing was done. `late`: it came, or its turn did, after its `for_ms`. `stale`: its `order` is not above the last
 * one of that device. The agent's queue being full is `throttled`.
 */
const answer = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    /** After a switch the action, after a read what it is, else `unknown`. */
    state: lampState,
    /** Of a `list` only; as many as fit into the frame. */
    devices: z.array(listed).max(500).optional(),
    failures: z.array(failure).max(4).optional(),
    ...answered,
  }),
  z.object({
    ok: z.literal(false),
    reason: z.enum(["timeout", "unreachable", "device", "throttled", "refused", "late", "stale"]),
    detail: sentence,
    failures: z.array(failure).max(4),
    retry_after_ms: z.number().nonnegative().optional(),
    limit: z.enum(["account", "device"]).optional(),
    ...answered,
  }),
]);
export type AgentAnswer = z.infer<typeof answer>;

/** What was done or seen in the park, numbered by the agent and told until it is acknowledged. */
export const logEntry = z.object({
  n: z.number().int().positive(),
  at: instant,
  device: id,
  /** `edge`: by its own plan. `net`: an OFF of the lamp's own timer that it has seen. `state`: only read. */
  kind: z.enum(["edge", "net", "state"]),
  action: z.enum(SWITCH_ACTIONS).nullable(),
  state: lampState,
  ok: z.boolean(),
  attempts: z.number().int().nonnegative(),
  note: sentence,
  /** The plan that it acted by. */
  rev: z.number().int().nonnegative().nullable(),
});
export type AgentLogEntry = z.infer<typeof logEntry>;

const reading = z.object({ device: id, state: lampState, at: instant });
export type AgentReading = z.infer<typeof reading>;

/** What the agent says. */
export const fromAgent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    proto: z.tuple([z.number().int().positive(), z.number().int().positive()]),
    agent: z.string().max(40),
    /** Which run of the program this is. */
    boot: id,
    /** The first entry of its log that nobody has acknowledged; null where there is none. */
    log_from: z.number().int().positive().nullable(),
    plan_rev: z.number().int().nonnegative().nullable(),
    hubs: z.array(z.object({ id, ok: z.boolean(), detail: sentence })).max(500),
  }),
  z.object({ type: z.literal("result"), id, answer }),
  z.object({ type: z.literal("plan_ok"), rev: z.number().int().nonnegative() }),
  z.object({ type: z.literal("plan_refused"), rev: z.number().int().nonnegative(), why: sentence }),
  z.object({ type: z.literal("states"), states: z.array(reading).max(500) }),
  z.object({ type: z.literal("log"), entries: z.array(logEntry).max(100), isLast: z.boolean() }),
  z.object({ type: z.literal("bye"), code: z.number().int(), say: sentence }),
]);
export type FromAgent = z.infer<typeof fromAgent>;

/** What the object says. `now` is its clock (epoch ms), against which lateness is measured. */
export const toAgent = z.discriminatedUnion("type", [
  /** Answers `hello`; comes again when the agent's hubs, their addresses or credentials have changed. */
  z.object({
    type: z.literal("welcome"),
    proto: z.number().int().positive(),
    now: instant,
    agent: z.object({ id, name: z.string() }),
    hubs: z.array(assignedHub).max(500),
    /** The public key that plans are signed with (Ed25519, base64url). */
    plan_key: z.string(),
    /** Whose state it should read and tell first. */
    ask_states: z.array(id),
  }),
  z.object({
    type: z.literal("cmd"),
    id,
    /** Rises with every switch; one of a device that is not above its last is stale. Reads, pings and lists have 0. */
    order: z.number().int().nonnegative(),
    now: instant,
    /** Not done any more so long after `now`, in the agent's queue included; its answer is not waited for much longer. */
    for_ms: z.number().int().positive(),
    hub: id,
    device: id.nullable(),
    verb: z.enum(["switch", "read", "ping", "list"]),
    action: z.enum(SWITCH_ACTIONS).nullable(),
    address: lampAddress.nullable(),
    /** The lamp's own timer: it puts itself out after so many minutes. */
    off_after_min: z.number().int().positive().nullable(),
  }),
  z.object({
    type: z.literal("plan"),
    rev: z.number().int().nonnegative(),
    /** Part `n` of `of`, from 1; the parts joined are the signed text. */
    n: z.number().int().positive(),
    of: z.number().int().positive(),
    body: z.string(),
    /** Ed25519 over the whole text, base64url; with each part. */
    sig: z.string(),
  }),
  z.object({ type: z.literal("ack"), upto: z.number().int().positive() }),
  z.object({ type: z.literal("bye"), code: z.number().int(), say: sentence }),
]);
export type ToAgent = z.infer<typeof toAgent>;
