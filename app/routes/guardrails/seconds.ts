/** '10, 30' as a list of numbers. Non-numeric input becomes NaN; the schema rejects it. */
export function seconds(typed: string): number[] {
  return typed
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(Number);
}
