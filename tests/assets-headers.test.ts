import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("files served without the worker have the security headers, too", () => {
  const [rule = ""] = readFileSync("public/_headers", "utf8").split(/\n(?=\/)/);
  const [path, ...headers] = rule.split("\n").map((line) => line.trim());
  expect(path).toBe("/*");
  expect(headers.filter(Boolean).map((line) => line.split(": ")[0])).toEqual([
    "X-Content-Type-Options",
    "X-Frame-Options",
    "Referrer-Policy",
    "Cross-Origin-Resource-Policy",
    "Content-Security-Policy",
    "Strict-Transport-Security",
  ]);
});
