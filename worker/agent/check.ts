import { lookup } from "node:dns/promises";
import { connect } from "node:tls";
import { hubsFile } from "./agent";
import { callUntil } from "./call";
import { once } from "node:events";
import { isLoopback, socketUrl, type Config } from "./config";
import { hubCalls } from "./hub-calls";
import { Hubs } from "./hubs";
import { isClockSet } from "./is-clock-set";
import { realMeans } from "./means";
import { readConfig } from "./read-config";
import { SERVICE } from "./install/unit";
import { stateFolder } from "./run";
import { serviceState } from "./service-state";

type Finding = { name: string; ok: boolean; detail: string };

const PATIENCE_MS = 10_000;

/** Says line by line what works and what does not, down to the hubs; the exit code is 1 where something does not. */
export async function check(): Promise<number> {
  const read = await readConfig();
  const findings: Finding[] = [];
  const found = (...more: Finding[]) => {
    for (const { name, ok, detail } of more) console.log(`${name.padEnd(7)}${ok ? "ok      " : "WRONG   "}${detail}`);
    findings.push(...more);
    return more.every(({ ok }) => ok);
  };
  if (!read.ok) return Number(!found({ name: "File", ok: false, detail: read.detail }));
  found({ name: "File", ok: true, detail: `it belongs to ${read.config.url.host}` });
  found(...(await service()));
  const { url } = read.config;
  if (found(await dns(url)) && found(await tls(url))) found(...(await secretAndClock(read.config)));
  found(...(await hubs(read.config)));
  return findings.every(({ ok }) => ok) ? 0 : 1;
}

async function service(): Promise<Finding[]> {
  const state = await serviceState();
  if (state === null) return [];
  if (state.runs) return [{ name: "Agent", ok: true, detail: "its service runs" }];
  return [{ name: "Agent", ok: false, detail: `its service does not run (${state.result}): journalctl -u ${SERVICE}` }];
}

async function dns({ hostname }: URL): Promise<Finding> {
  try {
    const { address } = await lookup(hostname.replace(/^\[|\]$/g, ""));
    return { name: "DNS", ok: true, detail: `${hostname} is ${address}` };
  } catch {
    return { name: "DNS", ok: false, detail: `${hostname} is not found: is there a way to the internet from here?` };
  }
}

async function tls({ hostname, port, protocol }: URL): Promise<Finding> {
  const name = "TLS";
  if (protocol === "http:") return { name, ok: isLoopback(hostname), detail: "not needed on this very computer" };
  const at = Number(port || 443);
  const socket = connect({ host: hostname, port: at, servername: hostname, timeout: PATIENCE_MS });
  try {
    await Promise.race([
      once(socket, "secureConnect"),
      once(socket, "timeout").then(() => Promise.reject(new Error("timeout"))),
    ]);
    return { name, ok: true, detail: `the certificate is good until ${socket.getPeerCertificate().valid_to}` };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const blocked = /timeout|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ECONNRESET/i.test(code);
    const detail = blocked
      ? `no connection to port ${at}: does a firewall stop outgoing connections?`
      : `the certificate is not accepted (${code}): is the clock right, or does a proxy open the connection?`;
    return { name, ok: false, detail };
  } finally {
    socket.destroy();
  }
}

/** Asks at the agent's own door, but without opening a line: that would cut the running one. */
async function secretAndClock({ url, secret }: Config): Promise<Finding[]> {
  const means = realMeans();
  try {
    const began = means.wall();
    const response = await fetch(socketUrl(url).replace(/^ws/, "http"), {
      headers: { Authorization: `Bearer ${secret}` },
      redirect: "manual",
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    await response.body?.cancel();
    const city = Date.parse(response.headers.get("Date") ?? "");
    return [secretFinding(response.status), await clockFinding((began + means.wall()) / 2 - city)];
  } catch {
    return [{ name: "Secret", ok: false, detail: "Lamplighter did not answer" }];
  }
}

function secretFinding(status: number): Finding {
  const name = "Secret";
  // The secret is looked at first; what is missing then is only the wish for a line.
  if (status === 426) return { name, ok: true, detail: "Lamplighter knows this agent" };
  if (status === 401 || status === 403) {
    return {
      name,
      ok: false,
      detail: "it was replaced or revoked in Settings, On-site Agents: install again with the new one",
    };
  }
  if (status === 429) return { name, ok: false, detail: "too many tries: wait some minutes" };
  return { name, ok: false, detail: `that address answered ${status}, as Lamplighter doesn't` };
}

/** The clock matters only to an agent that starts without a line; it may be off a little. */
async function clockFinding(off_ms: number): Promise<Finding> {
  const isSet = await isClockSet();
  const off = `${(Math.abs(off_ms) / 1000).toFixed(0)} s off the city's`;
  const by = isSet ? "set by the network's time" : "not set by the network's time (timedatectl set-ntp true)";
  if (Number.isNaN(off_ms)) return { name: "Clock", ok: isSet, detail: by };
  return { name: "Clock", ok: isSet && Math.abs(off_ms) < 60_000, detail: `${by}, ${off}` };
}

async function hubs(config: Config): Promise<Finding[]> {
  const assigned = await hubsFile(stateFolder(process.env)).read();
  if (assigned === null || assigned.length === 0) {
    return [
      { name: "Hubs", ok: false, detail: "none told yet: under Hubs, choose this agent in the form of each hub" },
    ];
  }
  const known = new Hubs(config);
  known.assign(assigned);
  const transport = hubCalls(realMeans(), config.networks);
  const all = assigned.map(async ({ id, name }): Promise<Finding> => {
    const found = known.find(id);
    if (!found.ok) return { name: "Hub", ok: false, detail: found.detail };
    const answer = await transport.ping(found.hub, callUntil(transport.now() + PATIENCE_MS));
    const at = `${name} at ${found.hub.ip_address}`;
    if (!answer.ok) return { name: "Hub", ok: false, detail: answer.detail };
    return { name: "Hub", ok: true, detail: `${at}: ${answer.snippet.replace(/^.*000000 /, "")}, ${answer.rtt_ms} ms` };
  });
  return Promise.all(all);
}
