import type { Manifest } from "#domain/operations/backup";

type Files = Manifest["files"];

export function directoryOf(dir: string, org: string): string;

export function newBackup(dir: string): Promise<{
  begin: (table: string) => Promise<void>;
  write: (line: string) => Promise<void>;
  finish: (said: Omit<Manifest, "files">) => Promise<Files>;
  abandon: () => Promise<void>;
}>;

export function wholeBackup(dir: string, org: string): Promise<Manifest>;

export function linesOf(dir: string, file: Files[number]): AsyncGenerator<string>;
