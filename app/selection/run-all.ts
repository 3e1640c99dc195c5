/** Runs `work` for each item, `at_once` at a time. Stops starting new ones once `goesOn` returns false. */
export async function runAll<Item>(
  items: Item[],
  at_once: number,
  goesOn: () => boolean,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  async function hand() {
    for (let item = waiting.shift(); item !== undefined && goesOn(); item = waiting.shift()) await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(at_once, items.length) }, hand));
}
