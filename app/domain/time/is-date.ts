/** Whether a text is a date, 'YYYY-MM-DD', that is in the calendar of years. */
export function isDate(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().slice(0, 10) === text;
}
