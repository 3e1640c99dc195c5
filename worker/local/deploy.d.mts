import type { runWrangler } from "./wrangler.mjs";
/** Checks, migrates and deploys. Throws a UserError that says what was changed. */
export function deploy(
  args: string[],
  options?: { run?: typeof runWrangler; print?: (line: string) => void; commit?: string },
): Promise<void>;
