const PREFIX = "demo-user-";

/** The ids of the demo accounts. All other ids are random, so nobody else's starts like this. */
export function demoUserId(email: string): string {
  return `${PREFIX}${email.replace(/\.example$/, "").replace("@", "-")}`;
}

/** The demo accounts' password is public, so they may sign in only if DEMO is on. */
export function isDemoAccount(user_id: string): boolean {
  return user_id.startsWith(PREFIX);
}
