import { areaNeedsPosition } from "#domain/schedule/sun-needs";
import { IMPORTED_FIELDS } from "#domain/organization/imported-fields";
import type { Area } from "#domain/records/records";
import type { Here, PlanDeps, Planner } from "./planner";
import { byExactName, folded, matchOf, type Known, type Register } from "./register";
import { quoted } from "./quoted";
import { changedFields, created, updated } from "./staged-row";
import { readArea, type Complain } from "./values";

const KEYS = IMPORTED_FIELDS.area;

/** Areas are found by their name. */
export function areaPlanner(
  { areas, here }: { areas: Register<Area>; here: Here },
  { newId, rights }: PlanDeps,
): Planner {
  // Once for all rows: a large city's file has as many of them as there are lights.
  const read_only = new Set(
    here.devices.filter(({ dept_id }) => !rights.writes(dept_id)).map(({ area_id }) => area_id),
  );
  return (row, complain) => {
    const name = row.cells.name ?? "";
    const silent = () => undefined;
    const candidates = byExactName(areas.all(folded(name)), name);
    const match = matchOf(candidates, (area) => {
      const after = { ...area, ...readArea(row, area.location, silent) };
      return changedFields(area, after, KEYS).length === 0;
    });
    if (match.kind === "taken") complain("name", `Row ${match.row} is about the same area. Take one of the two out.`);
    if (match.kind === "many") complain("name", sameName(match.count, name));
    const before = match.kind === "found" ? match.known.record : undefined;
    const values = readArea(row, before?.location, complain);
    if (match.kind === "found") {
      match.known.row = row.row;
      const needed = here.positions_needed.get(match.known.record.id);
      if (needed && values && values.location?.lat === undefined) complain("lat", areaNeedsPosition(needed));
      const { id, active } = match.known.record;
      if ((values?.active ?? active) !== active && read_only.has(id)) complain("active", READ_ONLY);
      return values
        ? updated(row.row, "area", { before: match.known.record, after: { ...match.known.record, ...values } }, KEYS)
        : null;
    }
    if (match.kind !== "none") return null;
    const record: Area = { ...BLANK, id: newId(), name, ...values };
    // Also with a problem: the rows that name this area are not wrong for that.
    if (name !== "") areas.add({ record, row: row.row });
    return created(row.row, "area", record, KEYS);
  };
}

const READ_ONLY = "You may only read in the department of a light of this area.";

/** What a new area is where the row does not say. */
const BLANK: Omit<Area, "id" | "name"> = {
  version: 1,
  created_at: "",
  updated_at: "",
  type: "park",
  location: null,
  active: true,
  stagger_sec: 0,
};

/** The areas that a cell names; complains where there is none. */
export function areasNamed(areas: Register<Area>, cell: string | undefined, complain: Complain): Known<Area>[] {
  if (!cell) {
    complain("area", "It is empty. Write the name of the area.");
    return [];
  }
  const found = byExactName(areas.all(folded(cell)), cell);
  if (found.length === 0) complain("area", `There is no area ${quoted(cell)}, neither here nor in this file. ${MEND}`);
  return found;
}

const MEND = "Correct the name, or add a row of the kind area for it.";

export function sameName(count: number, name: string): string {
  return `${count} areas are named ${quoted(name)}. Give each a name of its own first.`;
}
