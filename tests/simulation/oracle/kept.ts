/** The values of one list of parts: of its first ones there is a node on the way. */
type Node<T> = { value?: T; next: WeakMap<object, Node<T>> };

/**
 * Keeps what was worked out from some parts of a city, which are never changed in place: a city of which other parts are
 * new shares it. Answers what `make` has made of the same parts before, if it has.
 */
export function keptBy<T extends object>(): (parts: readonly object[], make: () => T) => T {
  const root: Node<T> = { next: new WeakMap() };
  return (parts, make) => {
    let node = root;
    for (const part of parts) {
      let next = node.next.get(part);
      if (!next) node.next.set(part, (next = { next: new WeakMap() }));
      node = next;
    }
    return (node.value ??= make());
  };
}
