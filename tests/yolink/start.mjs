// `npm run yolink-sim`: the vendor's cloud and local hubs on loopback, with a page of their lamps. Test equipment.
// PORT (9780) is the cloud's, the ports after it are the hubs'; HUBS (3) and LAMPS (9) say how many there are.
// With `-- --agent` there is a park, too, whose hub only its on-site agent reaches, and whose line the page can cut.
// LAMPLIGHTER (http://localhost:8787) is the address that the agent connects to, AGENT_SECRET its secret, if not typed in.
import { parseArgs } from "node:util";
import { load } from "../../worker/local/typescript.mjs";

const { values } = parseArgs({ options: { agent: { type: "boolean", default: false } } });
const { start } = await load("tests/yolink/main.ts");
const [port, hubs, lamps] = [process.env.PORT || 9780, process.env.HUBS || 3, process.env.LAMPS || 9].map(Number);
const { LAMPLIGHTER: city = "http://localhost:8787", AGENT_SECRET: secret = "" } = process.env;
console.log((await start({ port, hubs, lamps, park: values.agent ? { city, secret } : null })).join("\n"));
