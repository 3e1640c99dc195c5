import { spawn } from "node:child_process";

/** Runs wrangler, which asks nothing, and returns its exit code and what it printed; `show` prints it at once, too. */
export async function runWrangler(args, { show = false } = {}) {
  const child = spawn(process.execPath, ["node_modules/wrangler/bin/wrangler.js", ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, CI: "1", WRANGLER_HIDE_BANNER: "true", WRANGLER_LOG: "log" }, // its answers are log lines
  });
  const printed = { stdout: "", output: "" };
  child.stdout.on("data", (chunk) => {
    printed.stdout += chunk;
    printed.output += chunk;
    if (show) process.stdout.write(chunk);
  });
  child.stderr.on("data", (chunk) => {
    printed.output += chunk;
    if (show) process.stderr.write(chunk);
  });
  const code = await new Promise((done) => child.on("close", done));
  return { code, stdout: printed.stdout.trim(), output: printed.output.trim() };
}

/** What wrangler says of a failure, without its colors and the path of its log; what to do instead where that is known. */
export function reasonOf(output) {
  const plain = output.replace(COLORS, "").replace(/^.*Logs were written to.*$/gm, "");
  const text = plain
    .slice(Math.max(0, plain.search(/^.*\[ERROR\]/m)))
    .split("If you think this is a bug")[0]
    .trim();
  if (/CLOUDFLARE_API_TOKEN|Authentication error|not authenticated|code: 10000\b/i.test(text)) {
    return "Cloudflare does not know who asks: `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.";
  }
  if (/fetch failed|ENOTFOUND|EAI_AGAIN|ECONNREFUSED/.test(text)) {
    return "Cloudflare could not be reached from this machine.";
  }
  return text;
}

const COLORS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
