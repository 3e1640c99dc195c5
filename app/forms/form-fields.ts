import type { AreaInput } from "#domain/organization/area-schema";
import type { ClosureInput } from "#domain/guardrails/closure-schema";
import type { DeviceInput } from "#domain/light/device-schema";
import type { HubInput } from "#domain/hubs/hub-schema";
import type { PermitInput } from "#domain/guardrails/permit-schema";
import type { ScheduleInput } from "#domain/schedule/schedule-schema";
import type { WorkorderInput } from "#domain/alarms/workorder-schema";

/** The fields of each record's form: those of its schema. Types only, so that no form brings zod into the browser. */
export type FormFields = {
  area: keyof AreaInput;
  hub: keyof HubInput;
  device: keyof DeviceInput;
  schedule: keyof ScheduleInput;
  workorder: keyof WorkorderInput;
  closure: keyof ClosureInput;
  permit: keyof PermitInput;
  department: "name";
};

type Shaped<Name extends string> = { shape: Record<Name, unknown> };

/**
 * The submitted text of each field of a schema. A field that the form lacks is absent, so that the stored value stays.
 */
export function inputOf<Name extends string>(form: FormData, schema: Shaped<Name>): Partial<Record<Name, string>> {
  const input: Partial<Record<Name, string>> = {};
  for (const name in schema.shape) {
    const value = form.get(name);
    if (typeof value === "string") input[name] = value;
  }
  return input;
}

/**
 * The submitted text of each write-only field. An empty one is absent, so that the stored value stays.
 */
export function filled<Name extends string>(input: Partial<Record<Name, string>>): Partial<Record<Name, string>> {
  const kept = { ...input };
  for (const name in kept) if (!kept[name]?.trim()) delete kept[name];
  return kept;
}

type Reader = (typed: string) => unknown;

/** The hidden field with the settings that a form of them shows. */
export const SHOWN = "shown";

/**
 * The submitted settings, parsed by type. An unchecked switch submits nothing and reads as ''. What is as the form has shown
 * it is absent: somebody else may have changed it since, and that stays. Each of `together` is one thing in several fields,
 * and is sent whole: a half of it would meet the other half of somebody else's.
 */
export function settingsOf<Name extends string>(
  form: FormData,
  readers: Record<Name, Reader>,
  together: readonly (readonly Name[])[] = [],
) {
  const shown = shownIn(form);
  const read = Object.entries<Reader>(readers).map(
    ([name, reader]) => [name, reader(form.getAll(name).join(","))] as const,
  );
  const changed = read.filter(([name, value]) => String(value) !== shown.get(name)).map(([name]) => name);
  const parts: (readonly string[])[] = [...changed.map((name) => [name]), ...together];
  const sent = new Set(parts.filter((names) => names.some((name) => changed.includes(name))).flat());
  return Object.fromEntries(read.filter(([name]) => sent.has(name)));
}

/** What the form showed, as texts; nothing where it does not say so. */
function shownIn(form: FormData): Map<string, string> {
  try {
    const shown: object = JSON.parse(String(form.get(SHOWN))) ?? {};
    return new Map(Object.entries(shown).map(([name, value]) => [name, String(value ?? "")]));
  } catch {
    return new Map();
  }
}

export const asText: Reader = (typed) => typed;
export const asSwitch: Reader = (typed) => typed === "true";
/** The checked values of checkboxes with one name. */
export const asList: Reader = (typed) => (typed === "" ? [] : typed.split(","));
/** Non-numeric input becomes NaN; the schema rejects it. */
export const asNumber: Reader = (typed) => Number(typed.trim() || NaN);
