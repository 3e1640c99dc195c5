import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { areaInput } from "#domain/area-schema";
import { deviceInput } from "#domain/device-schema";
import { guardrailSettingsInput } from "#domain/guardrail-settings-schema";
import { hubInput } from "#domain/hub-schema";
import { scheduleInput } from "#domain/schedule-schema";
import { systemSettingsInput } from "#domain/settings-schema";
import { workorderInput } from "#domain/workorder-schema";

type Form = {
  schema: z.ZodObject;
  /** What people fill in where the schema has one value for it. */
  parts?: Record<string, string[]>;
  /** Inputs that are no field of the record. */
  besides?: string[];
};

/** Each screen's folder, and the schema of the record that its form writes. */
const FORMS: Record<string, Form> = {
  areas: { schema: areaInput, parts: { location: ["address", "lat", "lon"] } },
  hubs: { schema: hubInput({ loopback: false }), besides: ["remove_credentials"] },
  devices: { schema: deviceInput, besides: ["action"] },
  schedules: {
    schema: scheduleInput,
    parts: {
      start_at: ["start_date", "start_time"],
      end_at: ["end_date", "end_time"],
      rrule: ["repeat", "interval", "days", "ends", "count", "until"],
    },
  },
  workorders: { schema: workorderInput },
  settings: { schema: systemSettingsInput({ loopback: false }) },
  guardrails: { schema: guardrailSettingsInput },
};

/** Where a screen reads what its form sent. */
const ACTION = /^route\.tsx$|-action\.ts$|^draft\.ts$/;

// A form's names reach the schema as text: without this, one that is misspelt or forgotten is dropped without a sound.
describe.each(Object.entries(FORMS))("the form of %s", (screen, { schema, parts = {}, besides = [] }) => {
  const sources = sourcesOf(`app/routes/${screen}`);
  const fields = Object.keys(schema.shape).flatMap((field) => parts[field] ?? [field]);

  test("has an input for every field of its schema, and no other", () => {
    const named = [...sources.matchAll(/\bname="(\w+)"/g)].map(([, name = ""]) => name);
    expect([...new Set(named)].toSorted()).toEqual([...fields, ...besides].toSorted());
  });

  test("hands every field on", () => {
    const handed = sourcesOf(`app/routes/${screen}`, ACTION);
    expect(fields.filter((field) => !new RegExp(`"${field}"|\\b${field}:`).test(handed))).toEqual([]);
  });
});

function sourcesOf(folder: string, which = /\.tsx?$/): string {
  const files = readdirSync(folder).filter((file) => which.test(file));
  return files.map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("\n");
}
