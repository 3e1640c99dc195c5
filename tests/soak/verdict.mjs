import { CONTROL } from "./people.mjs";
import { PASSING } from "./watch.mjs";

/** In less time nothing can be said of what grows. */
const LONG_MS = 4 * 60_000;
/** Before that, what the process holds grows as a runtime's does that has not yet collected its garbage. */
const SETTLED_MS = 30 * 60_000;
/** A third of fewer than these says little. */
const ENOUGH = 40;
/** The first quarter warms up: caches fill, code is compiled. */
const WARM = 0.25;
/** How much the last third may be above the first, in each measure; machines are not quiet. */
const MOST = { rss: 1.25, rss_mb: 48, heap: 1.1, heap_mb: 4, rows: 1.5, rows_more: 100, latency: 1.5, latency_ms: 15 };

/** One row for each question, with what was found and whether that is well. */
export function judge({ people, watch, city, left, lost }) {
  const isLong = (watch.samples.at(-1)?.at ?? 0) >= LONG_MS;
  const { requests, failures, toggles, bookings, heard } = people;
  const unsuccessful = toggles.filter(({ success, device_id }) => !success && !device_id.startsWith("soak-"));
  return [
    row("requests", `${requests.length}, ${failures.length} failed`, failures),
    row("errors in the log", `${city.errors.length}`, city.errors),
    row(
      "toggles",
      `${toggles.length}, ${unsuccessful.length} in vain`,
      unsuccessful.map(({ detail }) => detail),
    ),
    row("bookings, cuts of a line", `${bookings.length}, ${people.cuts}`, bookings.length > 0 ? [] : ["none was made"]),
    row(
      "browsers that heard, lines lost",
      `${heard.filter((n) => n > 0).length} of ${heard.length}, ${people.closed}`,
      [
        ...heard.flatMap((n, i) => (n > 0 ? [] : [`browser ${i + 1} heard nothing`])),
        ...(people.closed > 0 ? [`${people.closed} lines were lost`] : []),
      ],
    ),
    row("lost", `${lost.length}`, lost),
    row("left under way", left.join(", ") || "nothing", left),
    heap(watch.samples, isLong),
    memory(watch.samples, (watch.samples.at(-1)?.at ?? 0) >= SETTLED_MS),
    ...PASSING.map((table) => rowsOf(table, watch.samples, isLong)),
    ...[...new Set(requests.map(({ kind }) => kind))].toSorted().map((kind) => latency(kind, requests, isLong)),
  ];
}

function row(what, found, objections) {
  return { what, found, objections, isWell: objections.length === 0 };
}

/** What is kept once the garbage is gone: it may not grow with what was done. */
function heap(samples, isLong) {
  const warm = samples.slice(Math.floor(samples.length * WARM)).filter(({ heap: size }) => size !== null);
  const [first, , last] = thirds(warm).map((third) => median(third.map(({ heap: size }) => size)));
  const grows = last > first * MOST.heap && last > first + MOST.heap_mb;
  const found = `${first.toFixed(1)} to ${last.toFixed(1)} MB, ${warm.length} times`;
  return row("heap of the product, without garbage", found, grows && isLong ? ["it grows"] : []);
}

function memory(samples, isSettled) {
  const warm = samples.slice(Math.floor(samples.length * WARM));
  const [first, , last] = thirds(warm).map((third) => median(third.map(({ rss }) => rss)));
  const slope = slopeOf(warm.map(({ at, rss }) => [at / 3_600_000, rss]));
  const found = `${Math.round(first)} to ${Math.round(last)} MB, ${slope >= 0 ? "+" : ""}${Math.round(slope)} MB an hour`;
  const grows = last > first * MOST.rss && last > first + MOST.rss_mb;
  return row("memory of the runtime, with its garbage", found, grows && isSettled ? ["it grows"] : []);
}

/** By the median: what is under way comes in waves. */
function rowsOf(table, samples, isLong) {
  const warm = samples.slice(Math.floor(samples.length * WARM)).map(({ rows }) => rows[table]);
  const [first, , last] = thirds(warm).map(median);
  const grows = last > first * MOST.rows + MOST.rows_more;
  return row(
    `rows of ${table}`,
    `${first} to ${last}, at most ${Math.max(0, ...warm)}`,
    grows && isLong ? ["they grow"] : [],
  );
}

/** Beside the control, so that a machine that has more to do is no objection. */
function latency(kind, requests, isLong) {
  const [first, middle, last] = spreads(requests, kind);
  const [control, , later] = spreads(requests, CONTROL);
  const machine = Math.max(1, later.p50 / control.p50 || 1);
  const found = `p50 ${shown(first.p50)} to ${shown(last.p50)}, p95 ${shown(first.p95)} to ${shown(last.p95)}, at most ${shown(Math.max(first.p100, middle.p100, last.p100))}`;
  const expected = first.p50 * machine;
  const isSlower = last.p50 > expected * MOST.latency && last.p50 > expected + MOST.latency_ms;
  const name = kind === CONTROL ? "control: the machine itself" : kind;
  return row(
    `${name}, ${first.count * 3} times`,
    found,
    isSlower && isLong && first.count >= ENOUGH ? ["it slows down"] : [],
  );
}

/** Of each third of the time. */
function spreads(requests, kind) {
  return thirds(requests.filter((request) => request.kind === kind)).map((third) => {
    const ms = third.map((request) => request.ms).toSorted((a, b) => a - b);
    return { count: ms.length, p50: median(ms), p95: ms[Math.floor(ms.length * 0.95)] ?? 0, p100: ms.at(-1) ?? 0 };
  });
}

function thirds(all) {
  const size = Math.floor(all.length / 3);
  return [all.slice(0, size), all.slice(size, 2 * size), all.slice(2 * size)];
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** Of the line that is nearest to all points. */
function slopeOf(points) {
  const mean = (of) => points.reduce((sum, point) => sum + of(point), 0) / (points.length || 1);
  const [x, y] = [mean(([x]) => x), mean(([, y]) => y)];
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) / spread;
}

function shown(ms) {
  return `${Math.round(ms)} ms`;
}

export function print(rows, { minutes, lights, seed }) {
  const widest = Math.max(...rows.map(({ what }) => what.length));
  console.log(
    `\n${minutes.toFixed(1)} minutes, ${lights} lights, seed ${seed}: the first third of the time and the last\n`,
  );
  for (const { what, found, isWell } of rows)
    console.log(`  ${isWell ? "ok   " : "WRONG"}  ${what.padEnd(widest)}  ${found}`);
  for (const { what, objections } of rows)
    for (const objection of objections.slice(0, 8)) console.log(`\n${what}: ${objection}`);
}
