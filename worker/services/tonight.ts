import { pageOf } from "#db/page";
import { lightsAt } from "#db/lights-at";
import { tonight } from "#db/tonight";
import { formatClock } from "#domain/time/display";
import type { Page } from "#domain/lists/list-query";
import type { AreaLights, LightTonight, NightArea, Tonight } from "#domain/tonight/tonight-records";
import { areaLightsQuery, tonightQuery } from "#domain/tonight/tonight-schema";
import { nightSentence, type NightTotals } from "#domain/tonight/tonight-words";
import { visibleDepts } from "#domain/records/visibility";
import { areas } from "#db/areas";
import { parse } from "#worker/services/parse";
import { found } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";
import { lightsIn, type Lights } from "#worker/services/tonight-lights";
import { nightIn, shadesOf, type NightIn } from "#worker/services/tonight-night";

/** Lights of one request: as many as the engine foresees in one call. */
const MOST_LIGHTS = 200;

/** Since when the log tells of the night (epoch ms). */
type KnownFrom = { known_from: number };

/** The night from noon to noon as one picture: what was planned and verified until now, and what is foreseen. */
export function tonightService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = tonight(db, org_id);
  const depts = visibleDepts(user);

  return {
    /**
     * A page of areas with their counts, those with a wrong light first, and the lights of as many as fit. Without the
     * engine it tells what was logged. Refuses with `invalid` what is no night, or one too far ahead.
     */
    page: async (query: unknown): Promise<Tonight & Page<NightArea> & KnownFrom> => {
      permit(user, "night.see");
      const { date, page, open } = parse(tonightQuery, query);
      const night = await nightIn(scope, date);
      const { rows, ...pages } = await pageOf(page, (limit, offset) => pageOfAreas(limit, offset));
      const shown = fitting(rows, open);
      const [shades, lights] = await Promise.all([
        shadesOf(scope, night, rows),
        lightsIn(scope, night, shown.length === 0 ? [] : await repository.lights(shown, depts, MOST_LIGHTS)),
      ]);
      const told = rows.map(({ id, name, type, active, hidden, ...counts }) => ({
        id,
        name,
        type,
        active,
        hidden,
        ...countsOf(counts),
        shade: shades.get(id) ?? [],
        lights: shown.includes(id) ? byName(lights, id) : null,
      }));
      const { totals, ...paging } = pages;
      return {
        ...toldOf(night, lights),
        ...paging,
        rows: told,
        totals,
        sentence: sentenceOf(night, {
          totals,
          lights: lights.data,
          isWhole: lights.data.length === totals.all,
          isForeseen: lights.isForeseen,
          areas: new Map(rows.map(({ id, name }) => [id, name])),
        }),
      };
    },

    /** The lights of one area, the wrong ones among them if there are too many. Refuses with `invalid` and `not_found`. */
    lights: async (query: unknown): Promise<AreaLights> => {
      permit(user, "night.see");
      const { area_id, date } = parse(areaLightsQuery, query);
      const night = await nightIn(scope, date);
      const area = found(await areas(db, org_id).find(area_id), "Area");
      const rows = await repository.lights([area.id], depts, MOST_LIGHTS + 1);
      const lights = await lightsIn(scope, night, rows.slice(0, MOST_LIGHTS));
      const all = rows.length > MOST_LIGHTS ? await lightsAt(db, org_id).countIn(area.id, depts) : rows.length;
      return { lights: byName(lights, area.id), more: all - lights.data.length, isForeseen: lights.isForeseen };
    },

    /** The lights of one area in the night that runs, as `lights`, and what is said of all that the person sees. */
    area: async (id: string) => {
      permit(user, "night.see");
      const night = await nightIn(scope, undefined);
      const area = found(await areas(db, org_id).find(id), "Area");
      const [rows, totals, shades] = await Promise.all([
        repository.lights([id], depts, MOST_LIGHTS + 1),
        repository.countsIn(id, depts),
        shadesOf(scope, night, [area]),
      ]);
      const isWhole = rows.length <= MOST_LIGHTS;
      const lights = await lightsIn(scope, night, rows.slice(0, MOST_LIGHTS));
      const sorted = byName(lights, id);
      return {
        ...toldOf(night, lights),
        lights: sorted,
        isWhole,
        shade: shades.get(id) ?? [],
        sentence: sentenceOf(night, {
          totals,
          lights: sorted,
          isWhole,
          isForeseen: lights.isForeseen,
          areas: new Map([[id, area.name]]),
        }),
      };
    },

    /** One light in the night that runs. Refuses with `not_found`. */
    light: async (id: string): Promise<LightTonight & KnownFrom> => {
      permit(user, "night.see");
      const row = found(await repository.light(id, depts), "Device");
      const night = await nightIn(scope, undefined);
      const area = found(await areas(db, org_id).find(row.area_id), "Area");
      const [lights, shades] = await Promise.all([lightsIn(scope, night, [row]), shadesOf(scope, night, [area])]);
      return { ...toldOf(night, lights), light: found(lights.data[0], "Device"), shade: shades.get(area.id) ?? [] };
    },
  };

  async function pageOfAreas(limit: number, offset: number) {
    const rows = await repository.areas(depts, { limit, offset });
    // Behind the last page there is no row to tell how many there are.
    const [first] = rows.length > 0 || offset === 0 ? rows : await repository.areas(depts, { limit: 1, offset: 0 });
    const total = first?.total_areas ?? 0;
    const totals: NightTotals = {
      on: first?.total_on ?? 0,
      wrong: first?.total_wrong ?? 0,
      unknown: first?.total_unknown ?? 0,
      all: first?.total_all ?? 0,
    };
    return { rows, counts: [{ total, all: total }], totals };
  }
}

function toldOf(night: Awaited<ReturnType<typeof nightIn>>, { isForeseen }: Lights) {
  const { frame, known_from, known, now, zone } = night;
  return { frame, known_from, known, now, zone, isForeseen: isForeseen || frame.kind === "past" };
}

/** Of a night before the log began, or in which it did, it says so: 'none was lit' would be a guess. */
function sentenceOf(night: NightIn, told: Omit<Parameters<typeof nightSentence>[0], keyof NightIn>): string {
  const { frame, known_from, zone } = night;
  const sentence = nightSentence({ ...night, ...told });
  if (frame.kind === "coming" || known_from === frame.from || told.totals.all === 0) return sentence;
  if (known_from === frame.to) return "What the lights did then is not known: it was before the log began.";
  return `${sentence} Before ${formatClock(known_from, zone)} it is not known.`;
}

function countsOf({ on, wrong, unknown, all }: NightTotals): NightTotals {
  return { on, wrong, unknown, all };
}

/** The areas whose lights fit into one request, in their order; the one that is asked for comes first. */
function fitting(rows: readonly { id: string; all: number }[], open: string | undefined): string[] {
  const order = [...rows.filter(({ id }) => id === open), ...rows.filter(({ id }) => id !== open)];
  let room = MOST_LIGHTS;
  return order.flatMap(({ id, all }) => {
    if (all > room && id !== open) return [];
    room -= all;
    return [id];
  });
}

function byName({ data }: Lights, area_id: string) {
  return data
    .filter((light) => light.area_id === area_id)
    .toSorted((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}
