import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { promisify } from "node:util";

/** What systemd's own time service leaves when it has set the clock since the start. */
const MARK = "/run/systemd/timesync/synchronized";

/** Whether the computer's clock was set by the network's time since it was started, by whichever service. */
export async function isClockSet(): Promise<boolean> {
  if (
    await access(MARK).then(
      () => true,
      () => false,
    )
  )
    return true;
  try {
    const { stdout } = await promisify(execFile)("timedatectl", ["show", "-p", "NTPSynchronized", "--value"], {
      timeout: 2_000,
    });
    return stdout.trim() === "yes";
  } catch {
    return false;
  }
}
