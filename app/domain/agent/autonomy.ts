import { assertNever } from "#domain/assert-never";
import type { DeviceState, SwitchAction } from "#domain/enums";
import { nextAsks, type Ask } from "./asks";
import { followPlan } from "./follow-plan";
import type { AgentLogEntry } from "./frames";
import {
  commanded,
  leave,
  read,
  switched,
  UNSEEN,
  withSent,
  type LampOnSite,
  type Now,
  type Told,
} from "./lamp-on-site";
import type { StandingPlan } from "./standing-plan";
import { plannedUntil } from "./wanted";

/** Without a word from the city for so long, the line is in doubt. */
const DOUBT_MS = 35_000;
/** After so long the agent is alone: whatever the city sent expired 80 s ago. */
const ALONE_MS = 90_000;
/** A switch that the city began so shortly before it fell silent may not be finished. */
const UNDER_WAY_MS = 60_000;

/** All that has to survive a restart of the program; it is JSON. */
export type Autonomy = {
  mode: "linked" | "doubt" | "alone";
  /** When the city was last heard, on the monotonic clock. */
  heard: number;
  /** Up to when the plan's edges are dealt with (epoch ms). */
  since: number;
  plan: StandingPlan | null;
  lamps: Record<string, LampOnSite>;
};

/**
 * - `boot`: the program starts, with what it had stored
 * - `linked`: the city has welcomed it, and is master again
 * - `heard`: anything that came from the city
 * - `plan`: a plan that was found to be good
 * - `commanded`: a switch was tried for the city; `isSent`: it may have been done
 * - `silent`: the lamp's hub did not answer an ON of the city, which spares it the others for now
 * - `read`: a reading, whoever asked for it; `unknown` where there was no answer
 * - `switched`: what became of the agent's own switch; `isSent`: it may have been done
 */
export type AgentEvent =
  | { type: "boot" | "linked" | "heard" | "tick" }
  | { type: "plan"; plan: StandingPlan }
  | { type: "commanded"; device: string; action: SwitchAction; isSent: boolean }
  | { type: "silent"; device: string }
  | { type: "read"; device: string; state: DeviceState }
  | { type: "switched"; device: string; isSent: boolean };

/** What the program has to do. Each ask is answered by an event; of each hub at most one is under way. */
export type Act = Ask | { do: "log"; entry: Omit<AgentLogEntry, "n"> };

export type Stepped = { state: Autonomy; acts: Act[] };

/** An agent that was just installed. */
export function newAutonomy(now: Now): Autonomy {
  return { mode: "doubt", heard: now.mono, since: now.at, plan: null, lamps: {} };
}

/**
 * The agent's autonomy. While the city is heard it is master, and the agent only takes note. Once alone the agent follows
 * its plan: one catch-up for what changed since the city was last heard, and for what the city could not light, then each
 * edge once. It insists on nothing that it has done, so that it fights neither hands nor the cloud; only an OFF is kept up
 * until the lamp is dark.
 *
 * Call it for every event, and with `tick` once a second. Give back the state, and do the acts.
 */
export function step(before: Autonomy, event: AgentEvent, now: Now): Stepped {
  const noted = takeIn(before, event, now);
  const state = listen(noted.state, now);
  if (state.mode !== "alone" || state.plan === null) return { state, acts: noted.acts };
  const followed = follow(state, state.plan, now);
  const asks = nextAsks(followed.state.lamps, state.plan, now);
  return { state: noteAsked(followed.state, asks, now), acts: [...noted.acts, ...followed.acts, ...asks] };
}

function takeIn(state: Autonomy, event: AgentEvent, now: Now): Stepped {
  switch (event.type) {
    case "tick":
      return { state, acts: [] };
    case "boot":
      return { state: { ...each(state, atRest), mode: "doubt", heard: now.mono }, acts: [] };
    case "linked":
      return linked(state, now);
    case "heard":
      // What an agent that is alone still hears is no welcome: the city does not know yet what it has done.
      if (state.mode === "alone") return { state, acts: [] };
      return { state: { ...state, mode: "linked", heard: now.mono, since: now.at }, acts: [] };
    case "plan":
      return { state: { ...state, plan: event.plan, lamps: lampsOf(event.plan, state.lamps) }, acts: [] };
    case "commanded":
      return change(state, event.device, now, (lamp) => ({
        lamp: commanded(lamp, event.action, event.isSent),
        told: null,
      }));
    case "silent":
      return { state: owedByHub(state, event.device, now), acts: [] };
    case "read":
      return change(state, event.device, now, (lamp) => read(lamp, event.state, now));
    case "switched":
      return change(state, event.device, now, (lamp) => switched(lamp, event.isSent, now));
    default:
      return assertNever(event);
  }
}

/** What is to be lit now behind the hub of `device` the city could not light either. */
function owedByHub(before: Autonomy, device: string, now: Now): Autonomy {
  const { plan } = before;
  const hub = plan?.lamps.find((lamp) => lamp.device === device)?.hub;
  if (!plan || hub === undefined) return before;
  const lamps = { ...before.lamps };
  for (const planned of plan.lamps) {
    const lamp = lamps[planned.device];
    const isDark = planned.hub === hub && lamp?.state !== "on";
    if (lamp && isDark && plannedUntil(planned, plan.expires, now.at) !== null)
      lamps[planned.device] = { ...lamp, isOwed: true };
  }
  return { ...before, lamps };
}

/**
 * The city decides again. It hears what was under way also from a program that has just started, to which the welcome itself
 * was a word of the city: of that it knows nothing yet.
 */
function linked(before: Autonomy, now: Now): Stepped {
  const acts: Act[] = [];
  let state: Autonomy = { ...before, mode: "doubt" };
  for (const device of Object.keys(before.lamps)) {
    const left = change(state, device, now, leave);
    state = left.state;
    acts.push(...left.acts);
  }
  return { state: { ...state, mode: "linked", heard: now.mono, since: now.at }, acts };
}

/** How long the city has been silent. */
function listen(state: Autonomy, now: Now): Autonomy {
  const silent_ms = now.mono - state.heard;
  if (state.mode === "linked" && silent_ms >= DOUBT_MS) return listen({ ...state, mode: "doubt" }, now);
  if (state.mode !== "doubt" || silent_ms < ALONE_MS) return state;
  return { ...state, mode: "alone", since: state.since - UNDER_WAY_MS };
}

function follow(before: Autonomy, plan: StandingPlan, now: Now): Stepped {
  const acts: Act[] = [];
  let state = before;
  for (const planned of plan.lamps) {
    const followed = change(state, planned.device, now, (lamp) => followPlan(lamp, planned, plan, before.since, now));
    state = followed.state;
    acts.push(...followed.acts);
  }
  return { state: { ...state, since: now.at }, acts };
}

function noteAsked(state: Autonomy, asks: Ask[], { mono }: Now): Autonomy {
  const lamps = { ...state.lamps };
  for (const ask of asks) {
    const { device } = ask.lamp;
    const lamp = lamps[device] ?? UNSEEN;
    const what = ask.do === "read" ? "read" : ask.action;
    lamps[device] = { ...lamp, asked: { what, since: mono }, read_at: what === "read" ? mono : lamp.read_at };
  }
  return { ...state, lamps };
}

/** A program that ends has heard what became of all that it began: what is still asked was never done. */
export function withoutAsked(state: Autonomy): Autonomy {
  if (Object.values(state.lamps).every(({ asked }) => asked === null)) return state;
  return each(state, (lamp) => ({ ...lamp, asked: null }));
}

/** The process that asked is no more, and its monotonic clock with it. */
function atRest(before: LampOnSite): LampOnSite {
  const lamp = withSent(before);
  const { pursuit } = lamp;
  return { ...lamp, asked: null, read_at: null, pursuit: pursuit && { ...pursuit, due: 0 } };
}

function each(state: Autonomy, make: (lamp: LampOnSite) => LampOnSite): Autonomy {
  return { ...state, lamps: Object.fromEntries(Object.entries(state.lamps).map(([id, lamp]) => [id, make(lamp)])) };
}

function lampsOf(plan: StandingPlan, known: Autonomy["lamps"]): Autonomy["lamps"] {
  return Object.fromEntries(
    plan.lamps.map(({ device, lit_by_us }) => {
      const lamp = known[device] ?? UNSEEN;
      return [device, { ...lamp, isOurs: lamp.isOurs || lit_by_us }];
    }),
  );
}

/** Changes one lamp of the plan; what there is to tell of it goes to the log, unless the city can see for itself. */
function change(
  state: Autonomy,
  device: string,
  now: Now,
  make: (lamp: LampOnSite) => { lamp: LampOnSite; told: Told | null },
): Stepped {
  const before = state.lamps[device];
  if (!before) return { state, acts: [] };
  const { lamp, told } = make(before);
  if (lamp === before && told === null) return { state, acts: [] };
  const acts: Act[] = [];
  if (told && state.mode !== "linked")
    acts.push({ do: "log", entry: { ...told, at: now.at, device, rev: state.plan?.rev ?? null } });
  return { state: { ...state, lamps: { ...state.lamps, [device]: lamp } }, acts };
}
