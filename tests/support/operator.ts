import { createExecutionContext } from "cloudflare:test";
import type { Manifest } from "#domain/operations/backup";
import worker from "#worker/index";
import type { Bindings } from "#worker/wiring";
import { bringBack, readBackup } from "../../worker/local/backup-transfer.mjs";
import { bindings, ORIGIN } from "./door";

const TOKEN = "the-token-of-the-operator-in-these-tests";

/** A refusal of the operator's door. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(detail);
  }
}

/** A call of the operator's door, on a deployment with these secrets. */
export function operatorOf(more: Partial<Bindings> = {}) {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read the answers freely
  return async (method: "GET" | "POST" | "PUT", path: string, body?: string): Promise<any> => {
    const init = body === undefined ? {} : { body, headers: { "Content-Type": "application/json" } };
    const request = new Request(`${ORIGIN}/api/operator${path}`, { method, ...init });
    request.headers.set("Authorization", `Bearer ${TOKEN}`);
    const answer = await worker.fetch(request, bindings({ OPERATOR_TOKEN: TOKEN, ...more }), createExecutionContext());
    const json: { detail?: string } = await answer.json();
    if (!answer.ok) throw new Refused(answer.status, json.detail ?? "");
    return json;
  };
}

export type Backup = { manifest: Manifest; lines: Map<string, string[]> };

/** A backup in memory; its files' sizes and hashes are nobody's matter here. */
export async function backUp(org: string): Promise<Backup> {
  const lines = new Map<string, string[]>();
  let current: string[] = [];
  const begin = (table: string) => {
    current = [];
    lines.set(table, current);
  };
  const said = await readBackup(operatorOf(), org, { begin, write: (line) => void current.push(line) });
  return { manifest: { ...said, files: filesOf(lines) }, lines };
}

/** The manifest's list of what there is. */
function filesOf(lines: Backup["lines"]): Manifest["files"] {
  const sha256 = "0".repeat(64);
  return [...lines].map(([table, { length }]) => ({ table, rows: length, bytes: 0, sha256 }));
}

export function restore({ manifest, lines }: Backup, more: Partial<Bindings> = {}): Promise<string> {
  return bringBack(operatorOf(more), manifest, (table) => lines.get(table) ?? []);
}
