// `npm run smoke -- URL [--email YOU --password-from-env NAME [--switch DEVICE]]`: asks a running server, after each
// deployment, whether it does what it should. Only reads, but for a light that --switch names. Exits 1 if a check fails.
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isCommand, requireNode, ROOT } from "./command.mjs";
import { anonymousChecks, personsChecks, signIn } from "./smoke-checks.mjs";
import { UserError } from "./user-error.mjs";

const USAGE = `Usage: npm run smoke -- https://lights.city.example [--email you@city.example --password-from-env NAME [--switch DEVICE]]`;
const LIMIT_MS = 10_000;

async function smokeFromCommandLine() {
  process.chdir(ROOT);
  try {
    requireNode();
    const { failed } = await smoke(process.argv.slice(2));
    process.exit(failed === 0 ? 0 : 1); // whatever an answer that never ends would still keep open
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(1);
  }
}

/** Runs the checks one after the other, each `limit_ms` at most, prints a line for each and counts what failed. */
export async function smoke(args, { print = console.log, limit_ms = LIMIT_MS, env = process.env } = {}) {
  const { origin, email, password, device } = options(args, env);
  const city = { origin, email, password, device, token: null, light: null, note: (text) => print(`note  ${text}`) };
  const checks = [...anonymousChecks, ...(email ? personsChecks(device) : [])];
  let failed = 0;
  let done = 0;
  for (const [name, check] of checks) {
    const started = performance.now();
    const { ok, text, isGone } = await outcome(check, city, limit_ms);
    const took = `${Math.round(performance.now() - started)} ms`;
    print(`${ok ? "ok    " : "FAIL  "}${took.padStart(8)}  ${name}${text ? `: ${text}` : ""}`);
    done += 1;
    if (!ok) failed += 1;
    if (isGone || (!ok && check === signIn)) break;
  }
  if (done < checks.length) print(`      ${checks.length - done} more checks were not tried.`);
  print(failed === 0 ? `All ${done} checks passed.` : `${failed} of ${done} checks failed.`);
  return { failed };
}

function options(args, env) {
  const text = { type: "string" };
  const known = { email: text, "password-from-env": text, switch: text };
  let parsed;
  try {
    parsed = parseArgs({ args, options: known, allowPositionals: true });
  } catch {
    throw new UserError(USAGE);
  }
  const { positionals, values } = parsed;
  const [address = ""] = positionals;
  if (positionals.length !== 1 || !/^https?:/.test(address) || !URL.canParse(address)) throw new UserError(USAGE);
  const from = values["password-from-env"];
  if (Boolean(values.email) !== Boolean(from) || (values.switch && !from)) throw new UserError(USAGE);
  const password = from ? env[from] : undefined;
  if (from && !password) throw new UserError(`The variable ${from} has no password in it.`);
  return { origin: new URL(address).origin, email: values.email, password, device: values.switch };
}

async function outcome(check, city, limit_ms) {
  const ended = new AbortController();
  const late = sleep(limit_ms, "late", { signal: ended.signal }).catch(() => "late");
  try {
    const text = await Promise.race([check(asking(city, AbortSignal.timeout(limit_ms))), late]);
    return text === "late" ? { ok: false, text: `no answer within ${limit_ms / 1000} s` } : { ok: true, text };
  } catch (error) {
    if (error.name === "TimeoutError") return { ok: false, text: `no answer within ${limit_ms / 1000} s` };
    const code = error.cause?.code ?? error.code;
    if (GONE.includes(code)) return { ok: false, text: `nothing answers at ${city.origin} (${code})`, isGone: true };
    return { ok: false, text: error.cause?.message ?? error.message };
  } finally {
    ended.abort();
  }
}

/** The city as one check asks it, until `signal`. */
function asking(city, signal) {
  const ask = (path, init = {}) => {
    const headers = { ...init.headers, ...(city.token ? { Authorization: `Bearer ${city.token}` } : {}) };
    return fetch(city.origin + path, { redirect: "manual", ...init, headers, signal });
  };
  return {
    ...city,
    signal,
    keep: (known) => void Object.assign(city, known),
    get: (path) => ask(path),
    post: (path, body) =>
      ask(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
  };
}

const GONE = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"];

if (isCommand(import.meta.url)) await smokeFromCommandLine();
