import type { User } from "#domain/records/records";

/** With which the answer to a screen's request says whose data it has. */
export const LOGIN_HEADER = "Lamplighter-Login";

/** A person in an organization, as the header has them. */
export function loginOf({ id, current_org_id }: Pick<User, "id" | "current_org_id">): string {
  return `${encodeURIComponent(id)} ${encodeURIComponent(current_org_id)}`;
}

/** The person of a login, to be compared. */
export function personOf(login: string): string {
  return login.slice(0, login.indexOf(" "));
}
