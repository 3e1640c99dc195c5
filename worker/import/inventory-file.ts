import { csvLine } from "#domain/lists/csv";
import type { Area, Department, Device, Hub } from "#domain/records/records";
import type { ImportKind } from "#domain/enums";
import { COLUMN_KEYS, LABELS, type ColumnKey, type ColumnOf } from "./columns";

type Cell = string | number | null;
type Cells = Partial<Record<ColumnKey, Cell>>;
/** A cell for every column of the kind, so that the compiler names one that is missing. */
type CellsOf<Kind extends ImportKind> = Record<ColumnOf<Kind>, Cell>;
type Inventory = { areas: Area[]; hubs: Hub[]; devices: Device[]; departments: Pick<Department, "id" | "name">[] };

/** Tells a spreadsheet that the text is UTF-8. */
const BYTE_ORDER_MARK = "\uFEFF";

/** What is here in the form that an import takes; imported again, it changes nothing. There are no secrets in it. */
export function inventoryFile({ areas, hubs, devices, departments }: Inventory): string {
  const deptNames = new Map(departments.map(({ id, name }) => [id, name]));
  return fileOf([
    ...areas.map(areaCells),
    ...hubs.map(hubCells),
    ...devices.map((device) => deviceCells(device, deptNames.get(device.dept_id ?? "") ?? null)),
  ]);
}

/** The header, and an example of each kind with a value in every column, but a department and the payloads. */
export function templateFile(): string {
  return fileOf([AREA, HUB, DEVICE]);
}

const AREA: CellsOf<"area"> = {
  kind: "area",
  name: "Example Park",
  type: "park",
  address: "1 Elm Street",
  lat: 37.77,
  lon: -122.45,
  active: "yes",
  stagger_sec: 0,
};
const HUB: CellsOf<"hub"> = {
  kind: "hub",
  name: "Hub 1",
  area: "Example Park",
  ip_address: "10.20.1.20",
  port: 1080,
  connection_mode: "hybrid",
  notes: "In the cabinet behind the gate",
};
const DEVICE: CellsOf<"device"> = {
  kind: "device",
  name: "Gate light",
  area: "Example Park",
  hub: "Hub 1",
  department: null,
  model: "LumaPole 60",
  cloud_device_id: "d88b4c0100000001",
  local_ref: "d88b4c0100000001",
  on_payload: null,
  off_payload: null,
  restrike_min: 0,
  notes: "Pole 4",
};

function fileOf(rows: Cells[]): string {
  const lines = rows.map((row) => csvLine(COLUMN_KEYS.map((key) => row[key] ?? null)));
  return [BYTE_ORDER_MARK, csvLine(LABELS), ...lines].join("");
}

function areaCells({ name, type, location, active, stagger_sec }: Area): CellsOf<"area"> {
  const { address, lat, lon } = location ?? {};
  return {
    kind: "area",
    name,
    type,
    address: address ?? null,
    lat: lat ?? null,
    lon: lon ?? null,
    active: active ? "yes" : "no",
    stagger_sec,
  };
}

function hubCells({ name, area_name, ip_address, port, connection_mode, notes }: Hub): CellsOf<"hub"> {
  return { kind: "hub", name, area: area_name, ip_address, port, connection_mode, notes };
}

function deviceCells(device: Device, department: string | null): CellsOf<"device"> {
  const { name, area_name, hub_name, model, cloud_device_id, local_ref, on_payload, off_payload } = device;
  return {
    kind: "device",
    name,
    area: area_name,
    hub: hub_name,
    department,
    model,
    cloud_device_id,
    local_ref,
    on_payload,
    off_payload,
    restrike_min: device.restrike_min,
    notes: device.notes,
  };
}
