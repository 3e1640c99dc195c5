import { afterAll, beforeAll, expect, test } from "vitest";
import { crashes } from "#tests/crash/story";
import { aServerProcess, type ServerProcess } from "#tests/support/server";
import { signedInAs, withoutNight, type Staff } from "#tests/support/staff";

/** How many rounds of ten kills `npm run crash` asks for; `npm test` is killed a few times. */
const { seed, rounds }: { seed: number; rounds: number[] } = process.env.CRASH
  ? JSON.parse(process.env.CRASH)
  : { seed: 1, rounds: [3] };

let server: ServerProcess;
let staff: Staff;

beforeAll(async () => {
  server = await aServerProcess();
  staff = await signedInAs(server, "admin");
  await withoutNight(staff);
  await staff.call("POST", "/admin/settings/guardrails", { RETRY_BACKOFFS_SEC: [1, 1, 2, 2, 3, 3] });
});
afterAll(() => server?.stop());

test.each(rounds.map((kills: number, n: number) => ({ seed: seed + n, kills })))(
  "kill -9 $kills times (seed $seed), at last of npm start alone: every switch ends right and is logged exactly once",
  { timeout: 900_000 },
  async ({ seed, kills }) => {
    const told = await crashes(server, staff, { seed, kills, lights: 8 });
    console.log(`seed ${seed}: ${kills} kills, ${JSON.stringify(told.figures)}`);
    expect(told).toMatchObject({ objections: [], standing: "on, logged: on ok", others: ["off"] });
  },
);
