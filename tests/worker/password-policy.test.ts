import { expect, test } from "vitest";
import { COMMON_PASSWORDS } from "#worker/auth/common-passwords";
import { firstPassword, newPassword, passwordChange } from "#worker/auth/password-policy";

const names = { email: "jo.miller@elmwood.example", organizations: ["City of Elmwood", "Harbor"] };
const problem = (password: string) => newPassword(names).safeParse(password).error?.issues[0]?.message ?? null;

const COMMON = "This password is too common. Please choose another";
const NAMED = "This password is too close to your e-mail, your organization or this product. Please choose another";

test("knows ten thousand common passwords of twelve and more characters", () => {
  const all = COMMON_PASSWORDS.split("\n");
  expect(new Set(all).size).toBe(10_000);
  expect(all.filter((password) => password.length < 12)).toEqual([]);
});

test.each([
  "passwordpassword",
  "Mailcreated5240",
  "leavemealone",
  "SonyEricsson",
  "123456789qwe",
  "1234qwerasdf",
  "manchesterunited",
  "hellohellohello",
  "qwertyuiop[]",
])("refuses %s as too common", (password) => {
  expect(problem(password)).toBe(COMMON);
});

test.each([
  "jo.miller@elmwood.example",
  "JoMiller2026!!",
  "cityofelmwood1",
  "City-of-Elmwood-2026",
  "harborharbor!!",
  "Lamplighter2026",
  "my.lamplighter",
])("refuses %s as a name", (password) => {
  expect([NAMED, COMMON]).toContain(problem(password));
});

test.each(["seven lamps by the river", "correct horse lamp", "Elmwood has nine ponds", "harbor seals sing softly"])(
  "%s is taken",
  (password) => {
    expect(problem(password)).toBeNull();
  },
);

test("applies the same rule at every entrance", () => {
  for (const schema of [firstPassword(names), passwordChange(names)]) {
    const tried = schema.safeParse({ current_password: "x", new_password: "passwordpassword" });
    expect(tried.error?.issues[0]?.message).toBe(COMMON);
  }
});
