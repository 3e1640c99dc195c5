import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runWrangler, type Ran } from "../../worker/local/wrangler.mjs";

const ID = "5eed5eed-5eed-4eed-8eed-5eed5eed5eed";

/**
 * wrangler.toml as a city has it that has made its databases, in a folder of its own, with a wrangler whose 'remote' is the
 * local runtime; `play` answers in its place where it returns something.
 */
export function aDeployment(play: (args: string[]) => Partial<Ran> | null = () => null) {
  const folder = mkdtempSync(join(tmpdir(), "lamplighter-deployment-"));
  const [config, migrations] = [join(folder, "wrangler.toml"), join(folder, "migrations")];
  const ours = readFileSync("wrangler.toml", "utf8")
    .replace(/database_id = "[0-]+"/g, `database_id = "${ID}"`)
    .replace('main = "worker/index.ts"', `main = "${resolve("worker/index.ts")}"`)
    .replaceAll('migrations_dir = "db/migrations"', `migrations_dir = "${migrations}"`);
  mkdirSync(migrations);
  writeFileSync(config, ours);
  const calls: string[] = [];
  const run = async (args: string[]): Promise<Ran> => {
    calls.push(args.slice(0, args.indexOf("--env")).join(" "));
    const played = play(args);
    if (played) return { code: 0, stdout: "", output: played.stdout ?? "", ...played };
    return runWrangler([...args.map((arg) => (arg === "--remote" ? "--local" : arg)), "--persist-to", folder]);
  };
  return { folder, config, migrations, calls, run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
