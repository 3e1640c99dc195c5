// `node worker/local/release-notes.mjs v1.2.3`: prints what the CHANGELOG says of that release; fails if the tag is not the
// version of package.json, or if the CHANGELOG has no dated section for it.
import { readFileSync } from "node:fs";
import { isCommand } from "./command.mjs";

if (isCommand(import.meta.url)) {
  try {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    console.log(releaseNotes(process.argv[2] ?? "", version, readFileSync("CHANGELOG.md", "utf8")));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}

/** The section of the release that `tag` names. Throws a sentence where there is none. */
export function releaseNotes(tag, version, changelog) {
  if (tag !== `v${version}`)
    throw new Error(`The tag is '${tag}', but package.json says ${version}: tag it v${version}.`);
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`[${version}] - `));
  const notes = section?.split("\n").slice(1).join("\n").trim();
  if (!section || !/^\S+ - \d{4}-\d{2}-\d{2}\n/.test(section) || !notes) {
    throw new Error(`CHANGELOG.md has no section '## [${version}] - <date>' with something in it.`);
  }
  return notes;
}
