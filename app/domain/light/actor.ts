/** The beginning of the engine's note on a person's toggle. */
const BY_PERSON = "Pressed by ";

/** The reason in the notes of a person's toggle. */
export function byPerson(email: string): string {
  return `${BY_PERSON}${email}`;
}

/** The person's e-mail in an event's note; null for events of schedules or the watchdog. */
export function actorOf(note: string | null): string | null {
  if (!note?.startsWith(BY_PERSON)) return null;
  return note.slice(BY_PERSON.length).split(" ", 1)[0] || null;
}
