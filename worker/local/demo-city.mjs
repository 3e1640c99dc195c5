import { readVar } from "./secrets.mjs";

/**
 * With DEMO on, fills an empty database with the demo city, and answers the demo accounts of one that has them. With
 * DEMO off it does neither: a seeded state must not hand out accounts that are refused anyway.
 */
export async function demoCity(state_dir, demo) {
  if ((demo ?? (await readVar("DEMO"))) !== "on") return [];
  const { withDatabase } = await import("./database.mjs");
  const { load } = await import("./typescript.mjs");
  const { seedIfEmpty, demoAccounts } = await load("worker/local/seed.ts");
  return withDatabase(state_dir, async (d1) => {
    if (await seedIfEmpty(d1)) console.log("Made the demo city.");
    return demoAccounts(d1);
  });
}

export function printAccounts(accounts) {
  if (accounts.length === 0) return;
  const widest = Math.max(...accounts.map(({ email }) => email.length));
  for (const { email, tells } of accounts) console.log(`  ${email.padEnd(widest)}  ${tells}`);
  console.log(`\n  The password of each is ${accounts[0].password}\n`);
}
