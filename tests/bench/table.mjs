/**
 * A row: what is measured (`work`, unique), its `unit`, the `value` (null: not reached, or not measured), where it has them the `floor` and
 * the best `peer` of the same run in the same unit, what it `aims` at in words, and a `note`.
 */
export function print({ at, machine, rows }) {
  console.log(`${at}, ${machine}`);
  const columns = ["work", "here", "floor", "times the floor", "best peer", "before", "aim", "note"];
  const lines = rows.map((row) => {
    const { work, unit, value, floor, peer, before, aim, note } = row;
    const times = value === null || !floor ? "" : `${round(value / floor)}x`;
    const cell = (number) => (number === undefined ? "" : number === null ? "-" : `${round(number)} ${unit}`);
    const best = peer ? `${peer.name} ${cell(peer.value)}` : "";
    return [work, cell(value), cell(floor), times, best, cell(before), aim ?? "", note ?? ""];
  });
  const used = columns.map((_, i) => i).filter((i) => lines.some((line) => line[i] !== ""));
  const table = [columns, columns.map(() => "---"), ...lines].map((line) => used.map((i) => line[i]));
  const widths = used.map((_, i) => Math.max(...table.map((line) => line[i].length)));
  for (const line of table)
    console.log(`| ${line.map((text, i) => text.padEnd(widths[i], text === "---" ? "-" : " ")).join(" | ")} |`);
}

/** The rows with what an earlier run found beside them. */
export function compare(result, earlier) {
  const known = new Map(earlier.rows.map((row) => [row.work, row.value]));
  return { ...result, rows: result.rows.map((row) => ({ ...row, before: known.get(row.work) })) };
}

function round(number) {
  const digits = Math.abs(number) >= 100 ? 0 : Math.abs(number) >= 10 ? 1 : Math.abs(number) >= 1 ? 2 : 3;
  return number.toFixed(digits);
}
