import { IMPORT_KINDS, type ImportKind } from "#domain/enums";

type Column = { label: string; kinds: readonly ImportKind[] };

/**
 * The columns of the file, in their order. One file has all three kinds, so that a light can name a hub and an area that
 * come with it. A hub's credentials have no column: they are write-only, and a file is passed around.
 */
export const COLUMNS = {
  kind: { label: "Kind", kinds: IMPORT_KINDS },
  name: { label: "Name", kinds: IMPORT_KINDS },
  area: { label: "Area", kinds: ["hub", "device"] },
  hub: { label: "Hub", kinds: ["device"] },
  department: { label: "Department", kinds: ["device"] },
  type: { label: "Type", kinds: ["area"] },
  address: { label: "Address", kinds: ["area"] },
  lat: { label: "Latitude", kinds: ["area"] },
  lon: { label: "Longitude", kinds: ["area"] },
  active: { label: "Active", kinds: ["area"] },
  stagger_sec: { label: "Seconds between ONs", kinds: ["area"] },
  ip_address: { label: "IP address", kinds: ["hub"] },
  port: { label: "Port", kinds: ["hub"] },
  connection_mode: { label: "Connection mode", kinds: ["hub"] },
  model: { label: "Model", kinds: ["device"] },
  cloud_device_id: { label: "Cloud ID", kinds: ["device"] },
  local_ref: { label: "Local reference", kinds: ["device"] },
  on_payload: { label: "ON payload", kinds: ["device"] },
  off_payload: { label: "OFF payload", kinds: ["device"] },
  restrike_min: { label: "Minutes to cool", kinds: ["device"] },
  notes: { label: "Notes", kinds: ["hub", "device"] },
} as const satisfies Record<string, Column>;

export type ColumnKey = keyof typeof COLUMNS;

/** The columns that rows of the kind may fill. */
export type ColumnOf<Kind extends ImportKind> = {
  [Key in ColumnKey]: Kind extends (typeof COLUMNS)[Key]["kinds"][number] ? Key : never;
}[ColumnKey];

const ALL: Record<ColumnKey, Column> = COLUMNS;
export const COLUMN_KEYS: ColumnKey[] = Object.keys(COLUMNS).filter((key): key is ColumnKey => key in COLUMNS);
export const LABELS = COLUMN_KEYS.map((key) => COLUMNS[key].label);

/** The column that a header names, whatever its case and spacing. */
export function columnOf(header: string): ColumnKey | undefined {
  const wanted = header.trim().toLowerCase().replace(/\s+/g, " ");
  return COLUMN_KEYS.find((key) => COLUMNS[key].label.toLowerCase() === wanted);
}

/** Whether rows of the kind may fill the column. */
export function belongsTo(key: ColumnKey, kind: ImportKind): boolean {
  return ALL[key].kinds.includes(kind);
}

/** The column in which the value of a record's field stands: 'Area' for `area_id`. */
export function columnOfField(field: string): ColumnKey | undefined {
  const key = REFERENCES[field] ?? field;
  return COLUMN_KEYS.find((known) => known === key);
}

const REFERENCES: Record<string, ColumnKey> = {
  area_id: "area",
  hub_id: "hub",
  dept_id: "department",
  location: "address",
};
