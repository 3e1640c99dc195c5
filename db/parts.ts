/** So many characters are one statement's text: it may have 2 MB, and a character takes three bytes at most. */
export const CHARACTERS_AT_ONCE = 500_000;

/**
 * Rows in parts that one statement's text may hold: one row at least, and no more characters of JSON than `most` together;
 * `lengthOf` tells those of one row.
 */
export function* parts<Row>(
  rows: readonly Row[],
  most: number,
  lengthOf = (row: Row) => JSON.stringify(row).length,
): Generator<Row[]> {
  let part: Row[] = [];
  let size = 0;
  for (const row of rows) {
    const length = lengthOf(row);
    if (part.length > 0 && size + length > most) {
      yield part;
      [part, size] = [[], 0];
    }
    part.push(row);
    size += length;
  }
  if (part.length > 0) yield part;
}
