/** 'manager' of manager@parks.example: how people are named on screens and in sentences. */
export function personOf(email: string): string {
  return email.split("@", 1)[0] ?? email;
}
