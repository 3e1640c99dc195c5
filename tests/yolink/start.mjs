// `npm run yolink-sim`: the vendor's cloud and local hubs on loopback, with a page of their lamps. Test equipment.
// PORT (9780) is the cloud's, the ports after it are the hubs'; HUBS (3) and LAMPS (9) say how many there are.
import { load } from "../../worker/local/typescript.mjs";

const { start } = await load("tests/yolink/main.ts");
const [port, hubs, lamps] = [process.env.PORT || 9780, process.env.HUBS || 3, process.env.LAMPS || 9].map(Number);
console.log((await start({ port, hubs, lamps })).join("\n"));
