import type { z } from "zod";
import { areaInput } from "#domain/organization/area-schema";
import { deviceInput } from "#domain/light/device-schema";
import type { ImportKind } from "#domain/enums";
import { IMPORTED_FIELDS } from "#domain/organization/imported-fields";
import { hubInput } from "#domain/hubs/hub-schema";
import type { Location } from "#domain/records/records";
import { belongsTo, COLUMN_KEYS, COLUMNS, columnOfField, type ColumnKey } from "./columns";
import { quoted } from "./quoted";
import type { Row } from "./table";

/** Says what is wrong in a column of the row; null where it is about the whole row. */
export type Complain = (column: ColumnKey | null, sentence: string) => void;

export type DeviceValues = z.infer<typeof deviceInput>;

/** Stands in for a reference while the row's own values are read. */
const LOOKED_UP_LATER = "?";
const YES = ["yes", "true", "active", "1"];
const TAKEN_FOR_NUMBER = /^\d+([.,]\d+)?e\+\d+$/i;
const NO = ["no", "false", "inactive", "0"];

/** Complains of cells that rows of this kind have no use for: what stands there was meant for another row. */
export function checkColumns({ cells, surplus }: Row, kind: ImportKind, complain: Complain): void {
  for (const key of COLUMN_KEYS) {
    if (cells[key] && !belongsTo(key, kind))
      complain(key, `${article(kind)} ${kind} has no ${COLUMNS[key].label}. Leave this cell empty.`);
  }
  if (surplus > 0)
    complain(null, "It has more cells than the header. Put a text with commas or semicolons into quotation marks.");
}

/** What the row says of an area; undefined, with complaints, where that is not valid. Absent cells are left out. */
export function readArea({ cells }: Row, before: Location | null | undefined, complain: Complain) {
  const { address, lat, lon } = cells;
  const { type, active, ...same } = cellsOf(cells, IMPORTED_FIELDS.area);
  if (Boolean(lat) !== Boolean(lon))
    complain(lat ? "lon" : "lat", "Latitude and Longitude belong together: fill both, or none.");
  const flag = active ? readFlag(active, complain) : undefined;
  const values = validated(
    areaInput,
    {
      ...same,
      name: cells.name ?? "",
      ...(type ? { type: type.toLowerCase() } : {}),
      ...(flag === undefined ? {} : { active: flag }),
      location: {
        address: address ?? before?.address ?? null,
        lat: lat === undefined ? before?.lat : decimal(lat),
        lon: lon === undefined ? before?.lon : decimal(lon),
      },
    },
    cells,
    complain,
  );
  return values;
}

/** The same of a hub. */
export function readHub({ cells }: Row, allow: { loopback: boolean }, complain: Complain) {
  const { port, connection_mode, ...same } = cellsOf(cells, IMPORTED_FIELDS.hub);
  if (port && !/^\d{1,5}$/.test(port)) {
    complain("port", `The port must be a whole number from 1 to 65535 ${says(port)}`);
    return undefined;
  }
  return validated(
    hubInput(allow),
    {
      ...same,
      name: cells.name ?? "",
      area_id: LOOKED_UP_LATER,
      ...(port ? { port } : {}),
      ...(connection_mode ? { connection_mode: connection_mode.toLowerCase() } : {}),
    },
    cells,
    complain,
  );
}

/** The same of a device. An empty Cloud ID leaves the one that the device has: a row is found without it, too. */
export function readDevice({ cells }: Row, complain: Complain) {
  const numbers = (["cloud_device_id", "local_ref"] as const).filter((key) => TAKEN_FOR_NUMBER.test(cells[key] ?? ""));
  for (const key of numbers) {
    const sentence = "The spreadsheet took it for a number. Format the column as text and enter the IDs again";
    complain(key, `${sentence} ${says(cells[key] ?? "")}`);
  }
  if (numbers.length > 0) return undefined;
  const { cloud_device_id, ...same } = cellsOf(cells, IMPORTED_FIELDS.device);
  return validated(
    deviceInput,
    {
      ...same,
      name: cells.name ?? "",
      area_id: LOOKED_UP_LATER,
      ...(cloud_device_id ? { cloud_device_id } : {}),
    },
    cells,
    complain,
  );
}

/** The cells of the fields that have a column of the same name; absent cells are left out. */
function cellsOf(cells: Row["cells"], fields: readonly string[]): Partial<Record<ColumnKey, string>> {
  const named = COLUMN_KEYS.filter((key) => fields.includes(key) && cells[key] !== undefined);
  return Object.fromEntries(named.map((key) => [key, cells[key]]));
}

/** By the schema of the form, whose sentences tell what would be right. */
function validated<T>(schema: z.ZodType<T>, input: unknown, cells: Row["cells"], complain: Complain): T | undefined {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const told = new Set<ColumnKey | null>();
  for (const { path, message } of result.error.issues) {
    const column = columnOfField(String(path.at(-1))) ?? null;
    if (told.has(column)) continue;
    told.add(column);
    complain(column, `${message} ${says((column && cells[column]) ?? "")}`.trim());
  }
  return undefined;
}

/** What stands in the cell, behind the sentence of what should. */
function says(cell: string): string {
  return cell === "" ? "" : `(it says ${quoted(cell)})`;
}

function readFlag(cell: string, complain: Complain): boolean | undefined {
  const word = cell.toLowerCase();
  if (YES.includes(word)) return true;
  if (NO.includes(word)) return false;
  complain("active", `Active must be yes or no ${says(cell)}`);
  return undefined;
}

/** Where semicolons divide the cells, a comma divides the decimals. */
function decimal(cell: string): string {
  return /^-?\d+,\d+$/.test(cell) ? cell.replace(",", ".") : cell;
}

function article(kind: ImportKind): string {
  return kind === "area" ? "An" : "A";
}
