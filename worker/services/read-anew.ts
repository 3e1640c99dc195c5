import { isRefusal } from "#domain/errors";
import { changedMeanwhile } from "#worker/services/refuse";

/** How often it is tried where others change the record at the same moment. */
const TRIES = 8;

/**
 * Makes a change that writes what its input does not name as it has read it; `change` must write over that version only. What
 * others changed at that moment, and would be undone, is read again. Whoever named a version (`if_match`) is refused instead.
 */
export async function readAnew<Made>(
  noun: string,
  if_match: number | undefined,
  change: () => Promise<Made>,
): Promise<Made> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await change();
    } catch (caught) {
      const isMeanwhile = if_match === undefined && isRefusal(caught) && caught.detail === changedMeanwhile(noun);
      if (!isMeanwhile || tries === TRIES) throw caught;
    }
  }
}
