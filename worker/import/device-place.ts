import type { Area, Device, Hub } from "#domain/records/records";
import type { Here, Rights } from "./planner";
import { quoted } from "./quoted";
import { byExactName, folded, type Register } from "./register";
import type { Complain } from "./values";

type Before = Device | undefined;

/** The department that a cell names; without the column the one that the device has. Complains where the person may not. */
export function deptOf(
  departments: Here["departments"],
  { sees, writes }: Rights,
  { cell, before }: { cell: string | undefined; before: Before },
  complain: Complain,
): string | null {
  if (cell === undefined) return before?.dept_id ?? null;
  if (cell === "") return null;
  const visible = departments.filter(({ id }) => sees(id));
  const named = visible.filter(({ name }) => folded(name) === folded(cell));
  const dept = named.find(({ id }) => id === before?.dept_id) ?? named[0];
  if (!dept) complain("department", noDepartment(cell, visible));
  else if (named.length > 1 && dept.id !== before?.dept_id)
    complain("department", `${named.length} departments are named ${quoted(cell)}. Give each a name of its own first.`);
  else if (dept.id !== before?.dept_id && !writes(dept.id))
    complain("department", `You may only read in the department ${quoted(dept.name)}.`);
  return dept?.id ?? null;
}

function noDepartment(cell: string, visible: Here["departments"]): string {
  const choices = visible.map(({ name }) => name).join(", ");
  return `There is no department ${quoted(cell)}. ${choices ? `Write one of: ${choices}; or leave` : "Leave"} it empty.`;
}

/** The hub of the device's area that a cell names; null where it names none. */
export function hubOf(
  hubs: Register<Hub>,
  cell: string | undefined,
  { area, before }: { area: Area; before: Before },
  complain: Complain,
): Hub | null {
  if (cell === "") return null;
  if (cell === undefined) {
    if (before?.hub_id && before.area_id !== area.id) complain("area", LEFT_BEHIND);
    return null;
  }
  const there = hubs.all(folded(cell)).filter(({ record }) => record.area_id === area.id);
  const named = byExactName(there, cell).map(({ record }) => record);
  const hub = named.find(({ id }) => id === before?.hub_id) ?? (named.length === 1 ? named[0] : undefined);
  if (!hub) complain("hub", named.length > 1 ? sameName(named.length, area, cell) : noHub(area, cell));
  return hub ?? null;
}

const LEFT_BEHIND = "The light's hub is in another area. Add the column Hub, with a hub of this area or nothing.";
const MEND = "Correct the name, add a row of the kind hub for it, or leave it empty.";

function sameName(count: number, area: Area, cell: string): string {
  return `${count} hubs of ${quoted(area.name)} are named ${quoted(cell)}. Give each a name of its own first.`;
}

function noHub(area: Area, cell: string): string {
  return `The area ${quoted(area.name)} has no hub ${quoted(cell)}, neither here nor in this file. ${MEND}`;
}
