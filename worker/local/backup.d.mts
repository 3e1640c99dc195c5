import type { readBackup } from "./backup-transfer.mjs";

/** Makes a backup of `org`, or of every organization, in `to`. Throws a UserError that says what is missing. */
export function backup(
  call: Parameters<typeof readBackup>[0],
  what: { org?: string; to: string },
  options?: { print?: (line: string) => void },
): Promise<void>;
