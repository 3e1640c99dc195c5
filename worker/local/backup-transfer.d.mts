import type { Manifest } from "#domain/operations/backup";

// oxlint-disable-next-line typescript/no-explicit-any -- JSON of the server's own calls
type Call = (method: "GET" | "POST" | "PUT", path: string, body?: string) => Promise<any>;

export function readBackup(
  call: Call,
  org: string,
  to: { begin: (table: string) => void | Promise<void>; write: (line: string) => void | Promise<void> },
): Promise<Omit<Manifest, "files">>;

export function bringBack(
  call: Call,
  manifest: Manifest,
  linesOf: (table: string) => Iterable<string> | AsyncIterable<string>,
): Promise<string>;
