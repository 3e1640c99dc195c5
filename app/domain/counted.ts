/** '1 light', '2 lights', for nouns whose plural only adds an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
