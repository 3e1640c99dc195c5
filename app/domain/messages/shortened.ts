/** An SMS may have 1,600 characters in all. */
const LONGEST_LINE = 200;

/** A line of a message that has several. */
export function shortened(line: string): string {
  const characters = [...line];
  return characters.length <= LONGEST_LINE ? line : `${characters.slice(0, LONGEST_LINE - 1).join("")}…`;
}
