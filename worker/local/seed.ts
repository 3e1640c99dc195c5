import { database } from "#db/database";
import { demoAccounts as accountsIn, seedCity } from "#db/seed/city";
import { PASSWORD } from "#db/seed/people";
import { hashPassword } from "#worker/auth/password";

/** Seeds an empty database with the demo city as of `now` (epoch ms); returns whether it did. */
export async function seedIfEmpty(d1: D1Database, now = Date.now()): Promise<boolean> {
  return seedCity(database(d1), now, () => hashPassword(PASSWORD));
}

export async function demoAccounts(d1: D1Database): Promise<{ email: string; shows: string; password: string }[]> {
  const accounts = await accountsIn(database(d1));
  return accounts.map((account) => ({ ...account, password: PASSWORD }));
}
