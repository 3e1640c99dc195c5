import { IMPORTED_FIELDS } from "#domain/organization/imported-fields";
import type { Area, Hub } from "#domain/records/records";
import type { PlanDeps, Planner } from "./planner";
import { areasNamed, sameName } from "./plan-area";
import { byExactName, folded, matchOf, type Register } from "./register";
import { quoted } from "./quoted";
import { changedFields, created, updated, type StagedRow } from "./staged-row";
import { readHub } from "./values";

const KEYS = IMPORTED_FIELDS.hub;

type Registers = { areas: Register<Area>; hubs: Register<Hub> };

/** Hubs are found by area and name: two parks may each have a 'Hub 1'. So an import moves none. */
export function hubPlanner({ areas, hubs }: Registers, { newId, allow }: PlanDeps): Planner {
  return (row, complain) => {
    const name = row.cells.name ?? "";
    const places = areasNamed(areas, row.cells.area, complain).map(({ record }) => record);
    const values = readHub(row, allow, complain);
    const there = hubs.all(folded(name)).filter(({ record }) => places.some(({ id }) => id === record.area_id));
    const after = (hub: Hub): Hub => ({ ...hub, ...values, area_id: hub.area_id });
    const match = matchOf(byExactName(there, name), (hub) => changedFields(hub, after(hub), KEYS).length === 0);
    switch (match.kind) {
      case "taken":
        complain("name", `Row ${match.row} is about the same hub. Take one of the two out.`);
        return null;
      case "many":
        complain(
          "name",
          `${match.count} hubs of this area are named ${quoted(name)}. Give each a name of its own first.`,
        );
        return null;
      case "found": {
        const before = match.known.record;
        match.known.row = row.row;
        return withoutCredentials(updated(row.row, "hub", { before, after: after(before) }, KEYS));
      }
      case "none": {
        const [area, ...others] = places;
        if (!area) return null;
        if (others.length > 0) complain("area", sameName(places.length, area.name));
        const { id: area_id, name: area_name } = area;
        const record: Hub = { ...BLANK, id: newId(), ...values, name, area_id, area_name };
        hubs.add({ record, row: row.row });
        return created(row.row, "hub", record, KEYS);
      }
    }
  };
}

/** What a new hub is where the row does not say. */
const BLANK: Omit<Hub, "id" | "name" | "area_id" | "area_name"> = {
  version: 1,
  created_at: "",
  updated_at: "",
  ip_address: null,
  port: 1080,
  connection_mode: "hybrid",
  agent_id: null,
  agent_name: null,
  notes: null,
  has_local_credentials: false,
};

/** A hub that is pointed elsewhere loses its stored credentials, as it does by its form, and the entry says so. */
function withoutCredentials(staged: StagedRow | null): StagedRow | null {
  const { before, after } = staged?.details ?? {};
  const isElsewhere = before?.["ip_address"] !== after?.["ip_address"] || before?.["port"] !== after?.["port"];
  if (!staged || !before?.["has_local_credentials"] || !isElsewhere) return staged;
  const details = { before, after: { ...after, has_local_credentials: false, local_credentials: "removed" } };
  return { ...staged, fields: [...staged.fields, "stored credentials (removed)"], details };
}
