/** What the colors and looks of bars mean; drawn only, because each bar says so itself. */
export function Legend() {
  return (
    <ul aria-hidden className="text-ink-soft mt-3 flex flex-wrap gap-x-3 gap-y-1.5 px-1 text-xs max-sm:hidden">
      {LEGEND.map(([label, why, as]) => (
        <li key={label} className="flex items-center gap-1.5">
          <span className="track block h-4! w-6">
            {why ? <b data-why={why} className="inset-x-0" /> : null}
            {as ? <i data-as={as} className="inset-x-0 top-1/2! bottom-auto! h-2 -translate-y-1/2" /> : null}
          </span>
          {label}
        </li>
      ))}
    </ul>
  );
}

const LEGEND: [string, string | null, string | null][] = [
  ["lit", null, "lit"],
  ["booked", "booked", null],
  ["by the sun", "sun", null],
  ["by hand", "hand", null],
  ["closed", "closed", null],
  ["cut or kept dark", "cut", null],
  ["skipped", "skipped", null],
  ["failed", null, "failed"],
  ["unknown", null, "unknown"],
];
