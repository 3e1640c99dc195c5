import { counted } from "#domain/counted";
import { isLight, type NightBar, type NightLight } from "./tonight";
import { MINUTE_MS } from "#domain/time/units";

/** Lights that go on or off in one minute for the same reason. `bar` is the first one's: it begins then, or ends. */
export type Flip = { at: number; on: boolean; lights: NightLight[]; bar: NightBar };

/**
 * What lights are going to do after an instant and before another (epoch ms), in order; what happens to several at once is one
 * flip. What reaches beyond the night flips at neither of its noons.
 */
export function flipsAfter(lights: readonly NightLight[], after: number, until: number): Flip[] {
  const flips = new Map<string, Flip>();
  for (const light of lights) {
    for (const { at, on, bar } of changesOf(light)) {
      if (at <= after || at >= until) continue;
      const key = [minuteOf(at), on, light.area_id, bar.text, bar.group].join(" ");
      const known = flips.get(key);
      if (known) known.lights.push(light);
      else flips.set(key, { at, on, bar, lights: [light] });
    }
  }
  return [...flips.values()].toSorted((a, b) => minuteOf(a.at) - minuteOf(b.at) || Number(a.on) - Number(b.on));
}

/** The minute of an instant: the sun sets some seconds later in the next park, and people read one time. */
export function minuteOf(at: number): number {
  return Math.floor(at / MINUTE_MS) * MINUTE_MS;
}

/** 'Pitch A', 'Pitch A south mast', '5 lights of Alder Field': who a flip concerns. */
export function namesOf({ lights, bar }: Flip, area_name: string): string {
  const [light] = lights;
  if (lights.length === 1) return light?.name ?? "";
  return bar.group ?? `${counted(lights.length, "light")} of ${area_name}`;
}

/** Where its light begins and ends: from one bar of light to the next there is none. */
function changesOf({ bars }: NightLight): { at: number; on: boolean; bar: NightBar }[] {
  const lit = bars.filter(isLight);
  return lit.flatMap((bar, n) => {
    const begins = !bar.isFromBefore && !bar.isOnBefore && lit[n - 1]?.to !== bar.from;
    const ends = !bar.goesOn && !bar.isOnAfter && lit[n + 1]?.from !== bar.to;
    return [...(begins ? [{ at: bar.from, on: true, bar }] : []), ...(ends ? [{ at: bar.to, on: false, bar }] : [])];
  });
}
