// `npm run yolink-sim`: the vendor's cloud and local hubs on loopback, with a page of their lamps. Test equipment.
// PORT (9780) is the cloud's, the ports after it are the hubs'; HUBS (3) and LAMPS (9) say how many there are.
// With `-- --agent` there is a park, too, whose hub only its on-site agent reaches, and whose line the page can cut.
// LAMPLIGHTER (http://localhost:8787) is the address that the agent connects to, AGENT_SECRET its secret, if not typed in.
import { stopOnSignal } from "../../worker/local/stop.mjs";
import { load } from "../../worker/local/typescript.mjs";
import { commandLine } from "../support/command-line.mjs";

const { values } = commandLine({ options: { agent: { type: "boolean", default: false } } });
const [port, hubs, lamps] = [process.env.PORT || 9780, process.env.HUBS || 3, process.env.LAMPS || 9].map(Number);
const { LAMPLIGHTER: city = "http://localhost:8787", AGENT_SECRET: secret = "" } = process.env;
if (![port, hubs, lamps].every((n) => Number.isInteger(n) && n > 0) || port + hubs > 65_535)
  refuse("PORT, HUBS and LAMPS are whole numbers above 0; the hubs' ports, which follow PORT, end at 65535.");
if (!URL.canParse(city) || !/^https?:$/.test(new URL(city).protocol))
  refuse("LAMPLIGHTER is an address such as http://localhost:8787.");

const { start } = await load("tests/yolink/main.ts");
const { lines, end } = await start({ port, hubs, lamps, park: values.agent ? { city, secret } : null }).catch((error) =>
  refuse(`The simulator cannot be started: ${error.message}`),
);
console.log(lines.join("\n"));
stopOnSignal(end);

function refuse(sentence) {
  console.error(sentence);
  process.exit(2);
}
