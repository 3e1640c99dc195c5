import { MAX_GROUP } from "#domain/fields/limits";

/** What a switch of more lights is refused with. */
export const TOO_MANY = `At most ${MAX_GROUP} lights are switched at once`;

/** Why so many lights of a place are not switched together, in a sentence; null where they are. `mayAny`: any is the person's. */
export function whyNotAll(lights: number, mayAny: boolean): string | null {
  if (!mayAny) return "You may look at these lights, not switch them.";
  return lights > MAX_GROUP ? `${TOO_MANY}. Switch groups of them instead.` : null;
}
