import type { Area, Department, Device, Hub } from "#domain/records/records";
import type { StagedRow } from "./staged-row";
import type { Row } from "./table";
import type { Complain } from "./values";

/** What the organization has now, all of it: what the person may not see is only told apart. */
export type Here = {
  areas: Area[];
  hubs: Hub[];
  devices: Device[];
  departments: Pick<Department, "id" | "name">[];
  /** How many schedules by the sun need the position of their area, by the area's id. */
  positions_needed: ReadonlyMap<string, number>;
  /** How many schedules by the sun each light has of its own, by its id; none where the city has a position. */
  sun_schedules: ReadonlyMap<string, number>;
};

/** What the person may, by department; null is organization-wide. */
export type Rights = { sees: (dept_id: string | null) => boolean; writes: (dept_id: string | null) => boolean };

export type PlanDeps = { rights: Rights; newId: () => string; allow: { loopback: boolean } };

/** Plans a row: what it will change, or null where that is nothing. Complains of what is wrong. */
export type Planner = (row: Row, complain: Complain) => StagedRow | null;
