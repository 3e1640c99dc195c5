import { IMPORT_KINDS, type ImportKind } from "#domain/enums";
import type { ImportJob, ImportProblem } from "#domain/organization/import-records";
import type { Area, Hub } from "#domain/records/records";
import { COLUMNS } from "./columns";
import { movesBySun } from "./moves-by-sun";
import { areaPlanner } from "./plan-area";
import { devicePlanner } from "./plan-device";
import { hubPlanner } from "./plan-hub";
import { quoted } from "./quoted";
import { folded, Register } from "./register";
import type { Here, PlanDeps, Planner } from "./planner";
import { sharedSockets } from "./shared-sockets";
import type { StagedRow } from "./staged-row";
import type { Row } from "./table";
import { checkColumns, type Complain } from "./values";

export type Plan = { changes: StagedRow[]; problems: ImportProblem[]; counts: ImportJob["counts"] };

/**
 * What the rows will change, and every problem they have; with a single problem nothing is applied. Areas are found by
 * their name, hubs by area and name, devices by Cloud ID, or without one by area and name. A column that the file does
 * not have leaves its values as they are; what no row is about stays.
 */
export function planImport(rows: Row[], here: Here, deps: PlanDeps): Plan {
  const problems: ImportProblem[] = [];
  const changes: StagedRow[] = [];
  const counts = noCounts();
  const complainOf =
    ({ row }: Row): Complain =>
    (column, sentence) =>
      problems.push({ row, column: column && COLUMNS[column].label, sentence });

  const areas = new Register(
    ({ name }: Area) => folded(name),
    here.areas.map((record) => ({ record, row: null })),
  );
  const hubs = new Register(
    ({ name }: Hub) => folded(name),
    here.hubs.map((record) => ({ record, row: null })),
  );
  const planners: Record<ImportKind, Planner> = {
    area: areaPlanner({ areas, here }, deps),
    hub: hubPlanner({ areas, hubs }, deps),
    device: devicePlanner({ areas, hubs, here, rows }, deps),
  };
  for (const row of rows) if (!kindOf(row)) complainOf(row)("kind", kindSentence(row));
  for (const kind of IMPORT_KINDS) {
    for (const row of rows.filter((one) => kindOf(one) === kind)) {
      const before = problems.length;
      const complain = complainOf(row);
      checkColumns(row, kind, complain);
      const change = planners[kind](row, complain);
      if (problems.length > before) continue;
      counts[kind][change?.action ?? "same"] += 1;
      if (change) changes.push(change);
    }
  }
  const refused = [
    ...sharedSockets(changes, here.devices),
    ...movesBySun(changes, here).map((one) => ({ ...one, column: COLUMNS.area.label })),
  ];
  problems.push(...refused);
  for (const row of new Set(refused.map((one) => one.row))) {
    const [change] = changes.splice(
      changes.findIndex((one) => one.row === row),
      1,
    );
    if (change) counts.device[change.action] -= 1;
  }
  return { changes, counts, problems: problems.toSorted((a, b) => a.row - b.row) };
}

export function noCounts(): ImportJob["counts"] {
  const none = { create: 0, update: 0, same: 0 };
  return { area: { ...none }, hub: { ...none }, device: { ...none } };
}

function kindOf({ cells }: Row): ImportKind | undefined {
  const word = cells.kind?.toLowerCase();
  return IMPORT_KINDS.find((kind) => kind === word);
}

function kindSentence({ cells }: Row): string {
  const choices = `Write one of: ${IMPORT_KINDS.join(", ")}.`;
  return cells.kind ? `${quoted(cells.kind)} is no kind. ${choices}` : `It is empty. ${choices}`;
}
