import type { z } from "zod";
import type { areaInput } from "#domain/area-schema";
import type { DeviceInput } from "#domain/device-schema";
import type { HubInput } from "#domain/hub-schema";
import type { scheduleInput } from "#domain/schedule-schema";
import type { WorkorderInput } from "#domain/workorder-schema";

/** The fields of each record's form: those of its schema. Types only, so that no form brings zod into the browser. */
export type FormFields = {
  area: keyof z.infer<typeof areaInput>;
  hub: keyof HubInput;
  device: keyof DeviceInput;
  schedule: keyof z.infer<typeof scheduleInput>;
  workorder: keyof WorkorderInput;
  department: "name";
};

type Shaped<Name extends string> = { shape: Record<Name, unknown> };

/**
 * What a form submitted for each field of a schema, as typed: a field that the form does not have is absent, so that it
 * stays as it is stored.
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
 * What a form submitted for each write-only field: one that was left empty is absent, so that it stays as it is stored.
 */
export function filled<Name extends string>(input: Partial<Record<Name, string>>): Partial<Record<Name, string>> {
  const kept = { ...input };
  for (const name in kept) if (!kept[name]?.trim()) delete kept[name];
  return kept;
}

type Reader = (typed: string) => unknown;

/** The settings that a form submitted, each read as its kind. An unchecked switch submits nothing and reads as ''. */
export function settingsOf<Name extends string>(form: FormData, readers: Record<Name, Reader>) {
  const settings = Object.entries<Reader>(readers);
  return Object.fromEntries(settings.map(([name, read]) => [name, read(form.getAll(name).join(","))]));
}

export const asText: Reader = (typed) => typed;
export const asSwitch: Reader = (typed) => typed === "true";
/** Checkboxes of one name; none where none is checked. */
export const asList: Reader = (typed) => (typed === "" ? [] : typed.split(","));
/** Non-numeric input becomes NaN; the schema rejects it. */
export const asNumber: Reader = (typed) => Number(typed.trim() || NaN);
