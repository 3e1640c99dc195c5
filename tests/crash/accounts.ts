import type { DeviceEvent, SchedulerEvent } from "#domain/records/records";

/** One window that was booked; its title is found in whatever was logged of it. */
export type Booked = { device_id: string; device_name: string; title: string; start_at: string; end_at: string };
export type Line = Pick<SchedulerEvent, "device_id" | "action" | "result" | "attempts" | "note">;
export type Call = Pick<DeviceEvent, "device_name" | "action" | "response_snippet">;

/**
 * What is wrong with the log of these windows, a sentence each; nothing where every switch was logged exactly once. The
 * lines are in the order in which they were written, and the windows of a light do not touch.
 */
export function objections(booked: Booked[], lines: Line[]): string[] {
  return booked.flatMap((window) => {
    const told = ofWindow(window, lines);
    const ends = told.filter(isEnd).length;
    const offs = told.filter((line) => line.action === "off" && line.result === "ok").length;
    // What may have been lit has to be put out; what was never sent has not, nor what was read off after its last ON.
    const last = told.findLast((line) => line.action === "on" && isAttempt(line));
    const owed = last && !/still off/.test(last.note ?? "") ? 1 : 0;
    const wrong: string[] = [];
    if (ends !== 1) wrong.push(`${ends} records of how it ended`);
    if (offs !== owed) wrong.push(`${offs} OFFs, and ${owed} is right`);
    if (told.some((line) => line.result === "fail" && line.attempts > 0)) wrong.push("a sound light failed");
    return wrong.map((what) => `${window.title}: ${what}\n${told.map(inWords).join("\n")}`);
  });
}

/** Every attempt has one line in the history and one outcome; says where the two logs disagree. */
export function disagreements(booked: Booked[], lines: Line[], calls: Call[]): string[] {
  const lights = new Map(booked.map(({ device_id, device_name }) => [device_id, device_name]));
  return [...lights].flatMap(([device_id, device_name]) => {
    const attempts = lines.filter((line) => line.device_id === device_id && isAttempt(line)).length;
    const made = calls.filter((call) => call.device_name === device_name).length;
    return made === attempts ? [] : [`${device_name}: ${made} calls in the history, ${attempts} attempts in the log`];
  });
}

/** How often each of these things was logged. */
export function figures(booked: Booked[], lines: Line[], calls: Call[]): Record<string, number> {
  const count = (is: (line: Line) => boolean) => lines.filter(is).length;
  return {
    windows: booked.length,
    calls: calls.length,
    "calls under way when it was killed": calls.filter((call) => /was lost/.test(call.response_snippet ?? "")).length,
    "switches verified": count((line) => line.result === "ok"),
    "verified at a later attempt": count((line) => line.result === "ok" && line.attempts > 1),
    missed: count((line) => /missed/.test(line.note ?? "")),
    skipped: count((line) => /skipped/.test(line.note ?? "")),
  };
}

/** The lines that name the window, and the OFFs between it and the light's next window. */
function ofWindow({ device_id, title }: Booked, lines: Line[]): Line[] {
  let current: string | undefined;
  return lines.filter((line) => {
    if (line.device_id !== device_id) return false;
    current = /\bW\d+\b/.exec(line.note ?? "")?.[0] ?? current;
    return current === title;
  });
}

/** Lit and verified, or the reason why it was not. */
function isEnd({ action, result, attempts, note }: Line): boolean {
  return action === "on" && (result === "ok" || (attempts === 0 && /missed|skipped|cut short/.test(note ?? "")));
}

/** Something left for the lamp; that a next try was dropped is told beside the outcome of the one before it. */
function isAttempt({ attempts, note }: Line): boolean {
  return attempts > 0 && !/not tried again/.test(note ?? "");
}

function inWords({ action, result, attempts, note }: Line): string {
  return `  ${action} ${result} ${attempts} ${note}`;
}
