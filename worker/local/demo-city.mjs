import { readVar } from "./secrets.mjs";

/**
 * With DEMO on, seeds an empty database with the demo city and returns the demo accounts, if any. With DEMO off it does
 * nothing, since demo accounts are refused then.
 */
export async function demoCity(d1, demo) {
  if ((demo ?? (await readVar("DEMO"))) !== "on") return [];
  const { load } = await import("./typescript.mjs");
  const { seedIfEmpty, demoAccounts } = await load("worker/local/seed.ts");
  if (await seedIfEmpty(d1)) console.log("Made the demo city.");
  return demoAccounts(d1);
}

export function printAccounts(accounts) {
  if (accounts.length === 0) return;
  const widest = Math.max(...accounts.map(({ email }) => email.length));
  for (const { email, shows } of accounts) console.log(`  ${email.padEnd(widest)}  ${shows}`);
  console.log(`\n  The password of each is ${accounts[0].password}\n`);
}
