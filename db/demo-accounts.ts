const PREFIX = "demo-user-";

/** The id of a demo account. Ids made by the product are random, so nobody else has one like it. */
export function demoUserId(email: string): string {
  return `${PREFIX}${email.replace(/\.example$/, "").replace("@", "-")}`;
}

/** Everybody can read a demo account's password: it is let in only where DEMO is on. */
export function isDemoAccount(user_id: string): boolean {
  return user_id.startsWith(PREFIX);
}
