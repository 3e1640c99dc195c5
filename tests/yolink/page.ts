import type { Fault } from "./packets";
import type { Simulator } from "./simulator";

/** The faults that have a button. */
const FAULTS = {
  offline: { kind: "offline" },
  silent: { kind: "silent" },
  slow: { kind: "slow", ms: 3_000 },
  flaky: { kind: "flaky", n: 2 },
  stuck: { kind: "stuck" },
  drop: { kind: "drop" },
  busy: { kind: "code", code: "020104" },
  html: { kind: "html" },
  redirect: { kind: "redirect" },
  oversized: { kind: "oversized" },
  "token 401": { kind: "status", status: 401, of: "token" },
  "token 429": { kind: "status", status: 429, of: "token", retry_after_sec: 60 },
  "limits reached": { kind: "status", status: 429, of: "api", retry_after_sec: 60 },
} satisfies Record<string, Fault>;
const LAMP_FAULTS: (keyof typeof FAULTS)[] = ["offline", "flaky", "slow", "stuck", "drop", "busy"];
const HUB_FAULTS: (keyof typeof FAULTS)[] = [
  "offline",
  "silent",
  "slow",
  "html",
  "redirect",
  "oversized",
  "token 401",
  "token 429",
  "limits reached",
];

/** What the page shows; it polls this every second. */
export function view(simulator: Simulator, addresses: Record<string, string>) {
  const set = (of: string) => [...LAMP_FAULTS, ...HUB_FAULTS].filter((name) => isSet(simulator, of, FAULTS[name]));
  return {
    doors: ["cloud", ...simulator.hubs.keys()].map((id) => {
      const { credentials } = simulator.hubs.get(id)?.issuer ?? simulator.cloud;
      const name = simulator.hubs.get(id)?.name ?? "The cloud";
      const alone =
        id === "cloud"
          ? null
          : [...simulator.lamps.values()].some((l) => l.hub === id && simulator.onlyByHub.has(l.id));
      return { id, name, address: addresses[id] ?? "", alone, credentials, can: HUB_FAULTS, faults: set(id) };
    }),
    lamps: [...simulator.lamps.values()].map(({ id, name, type, model, hub, isLit, detail }) => {
      return { id, name, type, model, hub, isLit, detail, can: LAMP_FAULTS, faults: set(id) };
    }),
    journal: simulator.journal.slice(-14).toReversed(),
  };
}

/** Runs a button of a lamp, a hub or the cloud: `fault`, `toggle`, `alone`, `expire` or `tokens`. */
export function act(simulator: Simulator, pressed: URLSearchParams): void {
  const of = pressed.get("of") ?? "";
  const lamp = simulator.lamps.get(of);
  const fault = [...HUB_FAULTS, ...LAMP_FAULTS].find((known) => known === pressed.get("fault"));
  switch (pressed.get("do")) {
    case "toggle":
      return lamp?.turn(!lamp.isLit, simulator.means.now());
    case "expire":
      simulator.cloud.expireAll();
      return simulator.hubs.forEach((hub) => hub.issuer.expireAll());
    case "tokens":
      return simulator.changeDeviceTokens();
    case "fault":
      return fault && flip(simulator, of, FAULTS[fault]);
    case "alone":
      for (const { id, hub } of simulator.lamps.values()) if (hub === of) flipAlone(simulator, id);
  }
}

function isSet(simulator: Simulator, of: string, fault: Fault): boolean {
  return simulator.faultsOf(of).some((set) => isSame(set, fault));
}

/** Ignores the count of a flaky lamp, which goes down with each call. */
function isSame(one: Fault, other: Fault): boolean {
  if (one.kind === "status" && other.kind === "status") return one.status === other.status && one.of === other.of;
  return one.kind === other.kind;
}

function flip(simulator: Simulator, of: string, fault: Fault): void {
  const rest = simulator.faultsOf(of).filter((set) => !isSame(set, fault));
  simulator.fault(of, ...rest, ...(isSet(simulator, of, fault) ? [] : [fault]));
}

function flipAlone({ onlyByHub }: Simulator, lamp: string): void {
  if (!onlyByHub.delete(lamp)) onlyByHub.add(lamp);
}

export const PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>YoLink simulator</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; background: #10151c; color: #dbe2ea }
  h1 { font-size: 1.3rem } h2 { font-size: 1rem; margin: 2rem 0 .5rem }
  .lamps, .doors { display: grid; gap: .75rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)) }
  article { border: 1px solid #2b3644; border-radius: 8px; padding: .75rem }
  .lit { background: #4a3d10; border-color: #f0c63c; box-shadow: 0 0 18px #f0c63c55 }
  code { font-size: 12px; color: #9fb2c8; overflow-wrap: anywhere; display: block }
  button { background: #223044; color: inherit; border: 1px solid #3a4a60; border-radius: 6px; padding: .2rem .55rem; margin: .4rem .2rem 0 0; cursor: pointer }
  button[aria-pressed=true] { background: #8a2b2b; border-color: #d86a6a }
  table { border-collapse: collapse; font: 12px ui-monospace, monospace } td { padding: .1rem .8rem .1rem 0 }
</style>
<h1>YoLink simulator</h1>
<p><button data-do="expire">Expire all access tokens</button><button data-do="tokens">Change all device tokens</button></p>
<section class="park" hidden><h2>The park</h2><article>
<p class="mode"></p><form><label>The agent's secret <input name="secret" size="60" autocomplete="off"></label><button>Start the agent</button></form>
<button data-do="line"></button><button data-do="power"></button><pre></pre></article></section>
<h2>Doors</h2><div class="doors"></div><h2>Lamps</h2><div class="lamps"></div><h2>Last calls</h2><table></table>
<script>
  const put = (parent, tag, text, given = {}) => {
    const element = Object.assign(document.createElement(tag), { textContent: text });
    for (const [name, value] of Object.entries(given)) element.setAttribute(name, value);
    parent.append(element);
    return element;
  };
  const faults = (parent, of, can, set) => can.forEach((fault) =>
    put(parent, "button", fault, { "data-do": "fault", "data-of": of, "data-fault": fault, "aria-pressed": set.includes(fault) }));
  async function show() {
    const { doors, lamps, journal, park } = await (await fetch("/view")).json();
    if (park) showPark(park);
    const [doorsAt, lampsAt, table] = [".doors", ".lamps", "table"].map((s) => document.querySelector(s));
    doorsAt.replaceChildren(); lampsAt.replaceChildren(); table.replaceChildren();
    for (const { id, name, address, alone, credentials, can, faults: set } of doors) {
      const card = put(doorsAt, "article", name);
      for (const line of [address, credentials.id, credentials.secret]) put(card, "code", line);
      faults(card, id, can, set);
      if (alone !== null) put(card, "button", "lamps only through this hub", { "data-do": "alone", "data-of": id, "aria-pressed": alone });
    }
    for (const { id, name, type, model, hub, isLit, detail, can, faults: set } of lamps) {
      const card = put(lampsAt, "article", name + (isLit ? ": lit" : ": dark"), isLit ? { class: "lit" } : {});
      put(card, "code", id + " " + type + " " + model + (hub ? " on " + hub : ""));
      if (detail) put(card, "code", detail);
      put(card, "button", "switch at the pole", { "data-do": "toggle", "data-of": id });
      faults(card, id, can, set);
    }
    for (const { at, door, method, device, state, code, ms } of journal) {
      const row = put(table, "tr", "");
      [new Date(at).toLocaleTimeString(), door, method, device ?? "", state ?? "", code, ms + " ms"].forEach((cell) => put(row, "td", cell));
    }
  }
  const MODES = {
    linked: "Lamplighter decides.",
    doubt: "Lamplighter is silent; for now nothing is switched.",
    alone: "The agent keeps tonight's plan alone.",
    off: "The agent's computer is off.",
  };
  function showPark({ hasSecret, isCut, isOn, mode, said }) {
    const at = document.querySelector(".park");
    at.hidden = false;
    at.querySelector(".mode").textContent = hasSecret ? MODES[mode] : "Type in the secret that Settings, On-site Agents, shows.";
    at.querySelector("form").hidden = hasSecret;
    const [line, power] = ["line", "power"].map((what) => at.querySelector('[data-do="' + what + '"]'));
    line.textContent = isCut ? "Plug the line in" : "Unplug the line";
    line.setAttribute("aria-pressed", isCut);
    power.textContent = isOn ? "Switch the agent's computer off" : "Switch the agent's computer on";
    power.setAttribute("aria-pressed", hasSecret && !isOn);
    power.hidden = !hasSecret;
    at.querySelector("pre").textContent = said.join("\n");
  }
  document.addEventListener("submit", async (event) => {
    event.preventDefault();
    const secret = new FormData(event.target).get("secret");
    await fetch("/act", { method: "POST", body: new URLSearchParams({ do: "enroll", secret }) });
    show();
  });
  document.addEventListener("click", async ({ target }) => {
    if (!target.dataset?.do) return;
    await fetch("/act", { method: "POST", body: new URLSearchParams({ ...target.dataset }) });
    show();
  });
  show(); setInterval(show, 1000);
</script></html>
`;
