/** The beginning of every note that the engine writes about what a person switched. */
const BY_PERSON = "Pressed by ";

/** Why the engine switches a light when a person asks for it: the beginning of its events' notes. */
export function pressedBy(email: string): string {
  return `${BY_PERSON}${email}`;
}

/** The e-mail of the person in an event's note; null for a schedule's or the watchdog's own. */
export function actorOf(note: string | null): string | null {
  if (!note?.startsWith(BY_PERSON)) return null;
  return note.slice(BY_PERSON.length).split(" ", 1)[0] || null;
}
