import { beforeAll, expect, test } from "vitest";
import { choicesOfPage } from "#app/routes/choices/every-choice";
import { servicesOf } from "../support/api";
import { seedCity } from "../support/city";

beforeAll(seedCity);

const choices = (query: string, Cookie = "script=off") =>
  choicesOfPage(servicesOf("admin"), new Request(`https://lamps.example/devices?${query}`, { headers: { Cookie } }));

test.each(["new=", "copy=lamp", "edit=lamp", "add=", "assign=lamp"])(
  "without script a form (%s) comes with every light of the city to choose from",
  async (query) => expect((await choices(query))?.devices).not.toHaveLength(0),
);

test.each([
  "",
  "delete=lamp",
  "cancel=lamp",
  "skip=lamp",
  "turn-on=lamp",
  "turn-off=lamp",
  "emergency=lamp",
  "remove=lamp",
])("without script a page that only asks (%s) does not carry every light of the city", async (query) =>
  expect(await choices(query)).toBeNull(),
);

test("with script a form asks for its options itself", async () => {
  expect(await choices("new=", "")).toBeNull();
});
