import { expect, test } from "vitest";
import { asNumber, asSwitch, asText, filled, inputOf, settingsOf } from "#app/forms/form-fields";
import { deviceInput } from "#domain/device-schema";

test("a form's input has every field of the schema that the form sent, and nothing else", () => {
  const form = formOf({ intent: "save", name: " Field 1 ", hub_id: "", notes: "North side" });
  expect(inputOf(form, deviceInput)).toEqual({ name: " Field 1 ", hub_id: "", notes: "North side" });
});

test("a write-only field that was left empty is not in the call, so that what is stored stays", () => {
  expect(filled({ local_client_id: "  ", local_client_secret: "hush" })).toEqual({ local_client_secret: "hush" });
});

test("settings are read as their kinds, and a switch that sends nothing is off", () => {
  const form = formOf({ URL: "https://api.example", EVERY_SEC: " 60 ", ALERT_MIN: "soon" });
  const readers = { URL: asText, EVERY_SEC: asNumber, ALERT_MIN: asNumber, NOTIFY: asSwitch };
  expect(settingsOf(form, readers)).toEqual({
    URL: "https://api.example",
    EVERY_SEC: 60,
    ALERT_MIN: NaN,
    NOTIFY: false,
  });
});

function formOf(fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}
