/** '10, 30' as a list of numbers; what is no number becomes NaN, which the schema refuses in its own words. */
export function seconds(typed: FormDataEntryValue | null): number[] {
  if (typeof typed !== "string") return [];
  return typed
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map(Number);
}
