import { parseArgs } from "node:util";
import { check } from "./check";
import { install, uninstall } from "./install/install";
import { run } from "./run";
import { AGENT_VERSION } from "./version";

const USAGE = `Lamplighter's on-site agent ${AGENT_VERSION}

  sudo node agent.mjs install     asks for the address and the secret, and starts the service
                                  (again: a newer program, another secret or other networks)
  sudo node agent.mjs check       says what works and what does not
  sudo node agent.mjs uninstall   removes it from this computer
  node agent.mjs run              what the service does
  node agent.mjs version

install takes --url ADDRESS and --network 192.168.1.0/24 (several times for several networks).`;

process.exitCode = await main();

async function main(): Promise<number> {
  const [major = 0] = process.versions.node.split(".").map(Number);
  if (major < 20) return refuse(`The agent needs Node 20 or newer; this is Node ${process.versions.node}.`);
  const asked = given();
  if (asked === null) return refuse(USAGE);
  const { command, values } = asked;
  try {
    switch (command) {
      case "run":
        return await run();
      case "check":
        return await check();
      case "install":
        return await install(values);
      case "uninstall":
        return await uninstall();
      case "version":
        return tell(AGENT_VERSION);
      case "help":
        return tell(USAGE);
      default:
        return refuse(USAGE);
    }
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** What stands behind the program's name; null where that is no command, since Node's own words for it help nobody in a park. */
function given() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean" } as const;
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { url: text, network: { ...text, multiple: true }, help: { ...flag, short: "h" }, version: flag },
    });
    const [command = "help", ...rest] = positionals;
    if (rest.length > 0) return null;
    // Asked for help, `uninstall` does nothing else.
    if (values.help) return { command: "help", values };
    return { command: values.version ? "version" : command, values };
  } catch {
    return null;
  }
}

function tell(text: string): number {
  console.log(text);
  return 0;
}

function refuse(text: string): number {
  console.error(text);
  return 1;
}
