import { expect, test } from "vitest";
import { asNumber, asSwitch, asText, filled, inputOf, settingsOf } from "#app/forms/form-fields";
import { deviceInput } from "#domain/light/device-schema";

test("reads the schema's fields from the form and nothing else", () => {
  const form = formOf({ intent: "save", name: " Field 1 ", hub_id: "", notes: "North side" });
  expect(inputOf(form, deviceInput)).toEqual({ name: " Field 1 ", hub_id: "", notes: "North side" });
});

test("omits an empty write-only field, so that the stored value stays", () => {
  expect(filled({ local_client_id: "  ", local_client_secret: "hush" })).toEqual({ local_client_secret: "hush" });
});

test("reads settings by type; an unchecked switch is off", () => {
  const form = formOf({ URL: "https://api.example", EVERY_SEC: " 60 ", ALERT_MIN: "soon" });
  const readers = { URL: asText, EVERY_SEC: asNumber, ALERT_MIN: asNumber, NOTIFY: asSwitch };
  expect(settingsOf(form, readers)).toEqual({
    URL: "https://api.example",
    EVERY_SEC: 60,
    ALERT_MIN: NaN,
    NOTIFY: false,
  });
});

test("of settings what is as the form has shown it is left out, so that what others saved since stays", () => {
  const stored = { URL: "https://api.example", EVERY_SEC: 60, LADDER: [10, 30], NOTIFY: true, LAT: null, FROM: "a" };
  const readers = { URL: asText, EVERY_SEC: asNumber, LADDER: asText, NOTIFY: asSwitch, LAT: asText, FROM: asText };
  const typed = { URL: "https://api.example", EVERY_SEC: " 60 ", LADDER: "10,30", LAT: "", FROM: "" };
  expect(settingsOf(formOf({ ...typed, shown: JSON.stringify(stored) }), readers)).toEqual({ NOTIFY: false, FROM: "" });
  for (const shown of ["", "null", "nonsense"])
    expect(settingsOf(formOf({ ...typed, shown }), { EVERY_SEC: asNumber })).toEqual({ EVERY_SEC: 60 });
});

test("settings that are one thing are sent together where one of them was changed, so that none is of two people", () => {
  const stored = { LAT: 34, LON: -118, SERVICE: "resend", KEY: "••••", FROM: "a" };
  const readers = { LAT: asText, LON: asText, SERVICE: asText, KEY: asText, FROM: asText };
  const one = [["LAT", "LON"] as const, ["SERVICE", "KEY"] as const];
  const sent = (typed: object) =>
    settingsOf(formOf({ ...formTexts(stored), ...typed, shown: JSON.stringify(stored) }), readers, one);
  expect(sent({ LAT: "35" })).toEqual({ LAT: "35", LON: "-118" });
  expect(sent({ KEY: "new" })).toEqual({ SERVICE: "resend", KEY: "new" });
  expect(sent({ FROM: "b" })).toEqual({ FROM: "b" });
});

function formTexts(stored: Record<string, string | number>): Record<string, string> {
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, String(value)]));
}

function formOf(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
