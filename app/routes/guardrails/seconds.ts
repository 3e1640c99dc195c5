/** '10, 30' as a list of numbers. Non-numeric input becomes NaN; the schema rejects it. */
export function seconds(typed: FormDataEntryValue | null): number[] {
  if (typeof typed !== "string") return [];
  return typed
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(Number);
}
