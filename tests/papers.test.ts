import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { license, scripts, version } from "../package.json";
import lock from "../package-lock.json";
import { CONTRACT } from "#worker/api/contract";
import { releaseNotes } from "../worker/local/release-notes.mjs";

const changelog = readFileSync("CHANGELOG.md", "utf8");

test("the licence is the one that package.json names, whole", () => {
  const text = readFileSync("LICENSE", "utf8");
  expect(license).toBe("Apache-2.0");
  expect(text).toMatch(/Apache License\s+Version 2\.0, January 2004/);
  expect(text).toContain("9. Accepting Warranty or Additional Liability.");
});

test("the CHANGELOG has today's work and this version, newest first", () => {
  const headings = changelog.match(/^## .*/gm) ?? [];
  expect(headings[0]).toBe("## [Unreleased]");
  expect(headings.at(-1)).toBe("## [1.0.0] - 2026-11-22");
  expect(lock.version).toBe(version);
  expect(releaseNotes(`v${version}`, version, changelog)).toBeTruthy();
});

test.each([
  ["v1.0.1", "1.0.0", changelog, "The tag is 'v1.0.1', but package.json says 1.0.0: tag it v1.0.0."],
  ["1.0.0", "1.0.0", changelog, "The tag is '1.0.0', but package.json says 1.0.0: tag it v1.0.0."],
  ["v9.9.9", "9.9.9", changelog, "CHANGELOG.md has no section '## [9.9.9] - <date>'"],
  ["v2.0.0", "2.0.0", "## [2.0.0] - 2027-01-05\n\n## [1.0.0] - 2026-11-22\n\nFirst.\n", "CHANGELOG.md has no section"],
  ["v2.0.0", "2.0.0", "## [2.0.0] - soon\n\nMore.\n", "CHANGELOG.md has no section"],
])("no release is made of the tag %s with version %s", (tag, of, text, sentence) => {
  expect(() => releaseNotes(tag, of, text)).toThrow(sentence);
});

test("a release has its notes and its list of libraries, and CI keeps that list", () => {
  const [release, ci] = ["release", "ci"].map((name) => readFileSync(`.github/workflows/${name}.yml`, "utf8"));
  for (const step of [".ci/run", "npm run sbom", "release-notes.md sbom.cdx.json"]) expect(release).toContain(step);
  expect(release).not.toMatch(/wrangler|npm run deploy/);
  expect(ci).toMatch(/npm run sbom[^]*path: sbom\.cdx\.json/);
});

test("the papers name each command, and none that is not there", () => {
  const papers = ["README", "OPERATING", "CONTRIBUTING", "SECURITY", "worker/agent/README"]
    .map((name) => readFileSync(`${name}.md`, "utf8"))
    .join("\n");
  const called = Object.values(scripts).join("\n"); // a part of `npm run check` says itself what it does
  const isNamed = (name: string) => papers.includes(`\`${name}\``) || new RegExp(`npm (run )?${name}\\b`).test(papers);
  const unnamed = Object.keys(scripts).filter((name) => !isNamed(name) && !called.includes(`npm run ${name}`));
  expect(unnamed).toEqual(["prepare"]); // npm's own
  const named = [...papers.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name]) => name);
  expect(named.filter((name) => name && !Object.hasOwn(scripts, name))).toEqual([]);
});

test("the decision on what is public names each call that needs no sign-in", () => {
  const calls = Object.entries(CONTRACT).filter(([name, { may }]) => may === "anyone" && name.startsWith("GET "));
  const decision = /^## 17\..*?^## 18\./ms.exec(readFileSync("worker/DECISIONS.md", "utf8"))?.[0] ?? "";
  expect(decision.match(/\/api\/[\w.]+(?=[^:]*need no sign-in)/g)?.toSorted()).toEqual(
    calls.map(([name]) => name.replace("GET ", "/api")).toSorted(),
  );
});

test("git ignores the keys and backups that the commands of OPERATING.md write in the clone", () => {
  const guide = readFileSync("OPERATING.md", "utf8");
  const written = [...guide.matchAll(/> ([\w-]+)`|--to ([\w-]+\/)/g)].map(([, file, folder]) => file ?? folder);
  expect(written).toEqual(["settings-key", "operator-token", "backups/"]);
  expect(readFileSync(".gitignore", "utf8").split("\n")).toEqual(expect.arrayContaining(written));
});
