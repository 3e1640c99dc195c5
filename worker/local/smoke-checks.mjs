import { readFile } from "node:fs/promises";
import { WebSocket } from "ws";
import { LOOPBACK_HOSTS } from "./loopback.mjs";

const MOST_SKEW_MS = 60_000;
/** Whatever happens to this machine, the light is back on its schedule after so long. */
const MOST_ON_MS = 15 * 60_000;

/** Each has a name and a function of the city that returns what to print, or throws what is wrong. */
export const anonymousChecks = [
  ["the server is well", health],
  ["the sign-in page is served, with its policy", signInPage],
  ["scripts and styles are served, to be kept", assets],
  ["the API refuses who has not signed in", refusesStrangers],
  ["the live socket refuses other sites", refusesOtherSites],
  ["the API is documented", docs],
];

export function personsChecks(device) {
  return [
    ["signs in", signIn],
    ["answers the dashboard", dashboard],
    ["lists devices", devices],
    // Two checks, so that the light is given back also where the answer to the first does not come.
    ...(device
      ? [
          ["switches a light on", switchOn],
          ["gives it back to its schedule", giveBack],
        ]
      : []),
    ["signs out", signOut],
  ];
}

async function health(city) {
  const before = Date.now();
  const response = await city.get("/api/health");
  const here = (before + Date.now()) / 2;
  const answer = await json(response, 200);
  expect(answer.status === "ok", `its status is '${answer.status}'`);
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  if (answer.version && answer.version !== version)
    city.note(`it runs version ${answer.version}, this copy is ${version}`);
  noteClock(city, here, Date.parse(response.headers.get("Date") ?? ""));
  return answer.version && `version ${answer.version}`;
}

/** The server's header has whole seconds. */
function noteClock({ note }, here, there) {
  const ahead_ms = here - there;
  if (Number.isNaN(ahead_ms) || Math.abs(ahead_ms) <= MOST_SKEW_MS) return;
  const minutes = Math.round(Math.abs(ahead_ms) / 60_000);
  note(
    `this machine's clock is ${minutes} min ${ahead_ms > 0 ? "ahead of" : "behind"} the server's. Nothing here goes by it, but wrangler's sign-in and certificates may fail: set it.`,
  );
}

async function signInPage(city) {
  const response = await city.get("/login");
  const html = await text(response, 200, "text/html");
  expect(/<input[^>]*name="password"/.test(html), "it has no field for a password");
  expect(/script-src 'self' 'nonce-/.test(response.headers.get("Content-Security-Policy") ?? ""), "it has no policy");
  expect(response.headers.get("X-Frame-Options") === "DENY", "other sites may frame it");
  const isDemo = html.includes("Quick login for demo");
  expect(!isDemo || isLoopback(city), "it offers demo accounts, whose password everybody knows: DEMO must be off");
}

async function assets(city) {
  const html = await text(await city.get("/login"), 200, "text/html");
  const paths = [...new Set(html.match(/\/assets\/[\w.-]+\.(?:js|css)/g))];
  const [script, style] = [".js", ".css"].map((end) => paths.find((path) => path.endsWith(end)));
  expect(script && style, "the sign-in page names none");
  for (const [path, type] of [
    [script, "javascript"],
    [style, "text/css"],
  ]) {
    const response = await city.get(path);
    await text(response, 200, type);
    expect(/immutable/.test(response.headers.get("Cache-Control") ?? ""), `${path} may not be kept by browsers`);
    expect(response.headers.get("X-Content-Type-Options") === "nosniff", `${path} lacks nosniff`);
  }
}

async function refusesStrangers(city) {
  await json(await city.get("/api/devices"), 401);
}

function refusesOtherSites({ origin, signal }) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${origin.replace("http", "ws")}/live`, { origin: "https://elsewhere.example" });
    signal.addEventListener("abort", () => socket.terminate());
    socket.on("open", () => {
      socket.terminate();
      reject(new Error("it let another site's page in"));
    });
    socket.on("unexpected-response", (request, { statusCode }) => {
      request.destroy();
      if (statusCode === 403) resolve();
      else reject(new Error(`it answered ${statusCode}, not 403`));
    });
    socket.on("error", reject);
  });
}

async function docs(city) {
  const html = await text(await city.get("/api/docs"), 200, "text/html");
  expect(html.includes("Lamplighter API"), "the page is another one");
}

/** Whoever is not let in can be asked nothing more: each further check would fail, and say why wrongly. */
export async function signIn(city) {
  const { email, password } = city;
  const answer = await json(await city.post("/api/auth/login", { email, password }), 200);
  expect(answer.access_token, "the answer has no token");
  city.keep({ token: answer.access_token });
  return `as ${answer.user?.role}`;
}

async function dashboard(city) {
  const { data } = await json(await city.get("/api/dashboard"), 200);
  expect(Array.isArray(data), "the answer has no areas");
  return `${data.length} areas`;
}

async function devices(city) {
  const { data } = await json(await city.get("/api/devices"), 200);
  expect(Array.isArray(data), "the answer has no devices");
  return `${data.length} devices`;
}

async function switchOn(city) {
  const answer = await city.get("/api/devices");
  const { data } = await json(answer, 200);
  const found = data.filter(({ id, name }) => id === city.device || name === city.device);
  expect(found.length === 1, `${found.length} devices are called '${city.device}'`);
  const [light] = found;
  city.keep({ light });
  const now = Date.parse(answer.headers.get("Date") ?? "") || Date.now();
  const until = new Date(now + MOST_ON_MS).toISOString();
  const toggle = { action: "on", reason: "npm run smoke", until };
  const { success, detail } = await json(await city.post(toggleOf(light), toggle), 200);
  expect(success, detail ?? "it was not switched");
  return light.name;
}

async function giveBack(city) {
  if (!city.light) return "nothing was switched";
  await json(await city.post(toggleOf(city.light), { action: "auto" }), 200);
  return city.light.name;
}

function toggleOf({ id }) {
  return `/api/devices/${encodeURIComponent(id)}/toggle`;
}

async function signOut(city) {
  await json(await city.post("/api/auth/logout", {}), 200);
}

async function json(response, status) {
  const body = await text(response, status, "application/json");
  try {
    return JSON.parse(body);
  } catch {
    throw new Error("its JSON does not parse");
  }
}

async function text(response, status, type) {
  const { pathname } = new URL(response.url);
  const given = response.headers.get("Content-Type") ?? "no type";
  const body = await response.text();
  if (response.status !== status)
    throw new Error(`${pathname} answered ${response.status}, not ${status}${detailOf(body)}`);
  expect(given.includes(type), `${pathname} answered ${given}, not ${type}`);
  return body;
}

/** The sentence of an answer of ours. */
function detailOf(body) {
  try {
    return ` (${JSON.parse(body).detail})`;
  } catch {
    return "";
  }
}

function isLoopback({ origin }) {
  return LOOPBACK_HOSTS.includes(new URL(origin).hostname);
}

function expect(holds, problem) {
  if (!holds) throw new Error(problem);
}
