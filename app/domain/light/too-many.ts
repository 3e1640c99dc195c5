import { MAX_GROUP } from "#domain/fields/limits";

/** Why so many lights are not switched at once, in a sentence; null where they are. */
export function tooManyAtOnce(lights: number): string | null {
  return lights > MAX_GROUP ? `At most ${MAX_GROUP} lights are switched at once. Switch groups of them instead.` : null;
}
