/** Checks a running server and prints a line for each check. Throws a UserError for wrong arguments. */
export function smoke(
  args: string[],
  options?: { print?: (line: string) => void; limit_ms?: number; env?: Record<string, string | undefined> },
): Promise<{ failed: number }>;
