import { IMPORTED_FIELDS } from "#domain/organization/imported-fields";
import type { Area, Device, Hub } from "#domain/records/records";
import type { Here, PlanDeps, Planner } from "./planner";
import { areasNamed, sameName } from "./plan-area";
import { deptOf, hubOf } from "./device-place";
import { byExactName, folded, matchOf, Register, type Known } from "./register";
import { changedFields, created, updated } from "./staged-row";
import type { Row } from "./table";
import { readDevice, type Complain, type DeviceValues } from "./values";

const KEYS = IMPORTED_FIELDS.device;

type Registers = { areas: Register<Area>; hubs: Register<Hub>; here: Here; rows: Row[] };

/**
 * Devices are found by their Cloud ID, wherever they are and whatever their name is; a row without one by area and name.
 * A Cloud ID that nobody has yet goes to the device of that area and name that has none.
 */
export function devicePlanner({ areas, hubs, here, rows }: Registers, { newId, rights }: PlanDeps): Planner {
  const known = here.devices.map((record): Known<Device> => ({ record, row: null }));
  const byCloudId = new Register<Device>(({ cloud_device_id }) => cloudKey(cloud_device_id), known);
  const byName = new Register<Device>(
    ({ name }) => folded(name),
    known.filter(({ record }) => rights.sees(record.dept_id)),
  );
  const times = countedBy(rows.map(({ cells }) => cloudKey(cells.cloud_device_id ?? null)));

  function candidatesOf({ cells }: Row, places: Area[]): Known<Device>[] {
    const isThere = ({ record }: Known<Device>) => places.some(({ id }) => id === record.area_id);
    const name = cells.name ?? "";
    const cloud_id = cloudKey(cells.cloud_device_id ?? null);
    const named = byExactName(byName.all(folded(name)).filter(isThere), name);
    // Of two that are alike the one with a Cloud ID is left to the row that names it.
    if (cloud_id === null) return named.toSorted((a, b) => Number(hasCloudId(a)) - Number(hasCloudId(b)));
    const sharing = byCloudId.all(cloud_id);
    if (sharing.length === 0) return named.filter(({ record }) => record.cloud_device_id === null);
    const isShared = (times.get(cloud_id) ?? 0) > 1;
    if (sharing.length === 1 && !isShared) return sharing;
    const exact = sharing.filter((one) => isThere(one) && folded(one.record.name) === folded(name));
    return exact.length > 0 || isShared ? exact : sharing;
  }

  function placed(
    row: Row,
    places: Area[],
    before: Device | undefined,
    values: DeviceValues | undefined,
    complain: Complain,
  ) {
    const area = places.find(({ id }) => id === before?.area_id) ?? places[0];
    if (!area) return null;
    if (places.length > 1 && area.id !== before?.area_id) complain("area", sameName(places.length, area.name));
    const keepsHub = row.cells.hub === undefined && before !== undefined;
    const hub = hubOf(hubs, row.cells.hub, { area, before }, complain);
    const record = {
      ...(before ?? BLANK),
      ...values,
      area_id: area.id,
      area_name: area.name,
      hub_id: keepsHub ? before.hub_id : (hub?.id ?? null),
      hub_name: keepsHub ? before.hub_name : (hub?.name ?? null),
      dept_id: deptOf(here.departments, rights, { cell: row.cells.department, before }, complain),
    };
    return record;
  }

  return (row, complain) => {
    const places = areasNamed(areas, row.cells.area, complain).map(({ record }) => record);
    const values = readDevice(row, complain);
    if (places.length === 0 || !values) return null;
    const match = matchOf(candidatesOf(row, places), (device) => {
      // A hub or department that cannot be told is not none.
      let isTold = true;
      const after = placed(row, places, device, values, () => (isTold = false));
      return isTold && after !== null && changedFields<Partial<Device>>(device, after, KEYS).length === 0;
    });
    const cloud_id = cloudKey(values.cloud_device_id ?? null);
    const found = match.kind === "found" ? match.known.record : null;
    const isItsOwn = found !== null && rights.sees(found.dept_id) && cloudKey(found.cloud_device_id) === cloud_id;
    if (cloud_id && !isItsOwn && byCloudId.all(cloud_id).some(({ record }) => !rights.sees(record.dept_id))) {
      complain("cloud_device_id", HIDDEN);
      return null;
    }
    switch (match.kind) {
      case "taken":
        complain(
          cloud_id ? "cloud_device_id" : "name",
          `Row ${match.row} is about the same device. Take one of the two out.`,
        );
        return null;
      case "many":
        complain(
          "name",
          `${match.count} devices may be meant, and none is as this row says. Give each a name or a Cloud ID of its own first.`,
        );
        return null;
      case "found": {
        const before = match.known.record;
        match.known.row = row.row;
        const after = placed(row, places, before, values, complain);
        const change = after && updated(row.row, "device", { before, after: { ...before, ...after } }, KEYS);
        // What the file leaves as it is was exported to them, and is not written.
        if (change && !rights.writes(before.dept_id))
          complain("department", "You may only read in the department of this light.");
        return change;
      }
      case "none": {
        const record = placed(row, places, undefined, values, complain);
        if (!record) return null;
        const device: Device = { ...BLANK, ...record, id: newId(), name: values.name };
        byName.add({ record: device, row: row.row });
        byCloudId.add({ record: device, row: row.row });
        return created(row.row, "device", device, KEYS);
      }
    }
  };
}

const HIDDEN = "A light of a department that is not shown to you has this Cloud ID. Ask an admin.";

/** What a new device is where the row does not say. */
const BLANK: Omit<Device, "id" | "name" | "area_id" | "area_name"> = {
  version: 1,
  created_at: "",
  updated_at: "",
  hub_id: null,
  hub_name: null,
  dept_id: null,
  model: null,
  cloud_device_id: null,
  local_ref: null,
  on_payload: null,
  off_payload: null,
  notes: null,
  restrike_min: 0,
  current_state: "unknown",
  last_state_at: null,
  problem: null,
  problem_since: null,
  hold: null,
};

function hasCloudId({ record }: Known<Device>): boolean {
  return cloudKey(record.cloud_device_id) !== null;
}

function cloudKey(cloud_device_id: string | null): string | null {
  return cloud_device_id?.trim().toLowerCase() || null;
}

function countedBy(keys: (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) if (key !== null) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
