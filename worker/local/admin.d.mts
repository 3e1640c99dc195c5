import type { runWrangler } from "./wrangler.mjs";
/** Makes an organization's first admin, or recovers an account. Throws a UserError, and then nothing was changed. */
export function admin(
  args: string[],
  options: {
    state_dir: string;
    ask?: () => Promise<string>;
    run?: typeof runWrangler;
    print?: (line: string) => void;
  },
): Promise<void>;
