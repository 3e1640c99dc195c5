/** The order of texts by their code units, whatever the language. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
