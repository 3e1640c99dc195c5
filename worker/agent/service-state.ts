import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { SERVICE, UNIT_PATH } from "./install/unit";

/** How systemd says that the agent's service is; null where it is not installed as one, such as in a container. */
export async function serviceState(): Promise<{ runs: boolean; result: string } | null> {
  try {
    await access(join(process.env.DESTDIR ?? "", UNIT_PATH));
    const args = ["show", SERVICE, "--property=ActiveState,Result"];
    const { stdout } = await promisify(execFile)("systemctl", args, { timeout: 5_000 });
    const told = new Map(stdout.split("\n").map((line) => [line.split("=")[0], line.split("=")[1] ?? ""]));
    return { runs: told.get("ActiveState") === "active", result: told.get("Result") ?? "" };
  } catch {
    return null;
  }
}
