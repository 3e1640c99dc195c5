import type { Call } from "./calls";
import { nextCall } from "./hand-out";
import type { Answer } from "./providers/provider";
import { transact, type Room } from "./room";
import { settle, type Report } from "./settle";

/** The runtime allows six connections at once to one object. */
export const RUNNERS = 6;

/**
 * Asks for a call, makes it, reports it, until nothing is ready. Never throws: a call that breaks is a time-out, and a
 * runner that dies loses nothing, since every call is leased.
 */
export async function run(room: Room): Promise<void> {
  let report: Report | null = null;
  for (;;) {
    const call: Call | null = transact(room, () => {
      if (report) settle(room, report);
      return nextCall(room);
    });
    if (!call) return;
    // What the report made ready may need more hands than this one.
    room.kick();
    report = { call_id: call.id, answer: await make(room, call) };
  }
}

async function make(room: Room, call: Call): Promise<Answer> {
  const began = room.now();
  const nothing = { provider: "mock" as const, http_status: null, rtt_ms: 0 };
  if (began > call.not_after) {
    return { ok: false, reason: "throttled", detail: "too late to send", retry_after_ms: 0, snippet: "", ...nothing };
  }
  const provider = room.providers(call.address.mode);
  try {
    if (isPing(call) && call.address.hub)
      return await provider.ping(call.address.hub, call.address.mode, call.timeout_ms);
    if (call.action !== null) return await provider.switch(call.address, call.action, call.timeout_ms);
    return await provider.read(call.address, call.timeout_ms);
  } catch (error) {
    room.log({ level: "error", event: "provider.threw", reason: String(error) });
    return { ok: false, reason: "timeout", detail: "the call broke off", snippet: "the call broke off", ...nothing };
  }
}

function isPing(call: Call): boolean {
  return call.kind === "ask_ping" || call.kind === "check_ping";
}
