/** Made once: in workerd, number.toLocaleString takes as long as a card of the dashboard. */
const GROUPS = new Intl.NumberFormat("en-US");

/** '1,250': a long number is read at a glance only in groups. */
export function grouped(count: number): string {
  return GROUPS.format(count);
}

/** '1 light', '2 lights', '1,250 lights', for nouns whose plural only adds an s. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}
