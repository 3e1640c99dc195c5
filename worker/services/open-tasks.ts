import { alarms } from "#db/alarms";
import type { Tasks } from "#db/department-filter";
import { workorders } from "#db/workorders";
import type { Scope, Statement } from "#worker/services/scope";

type Known = { open_workorders?: string[]; open_alarms?: string[] };

/** What is released, for the audit entry; the statements that release it, and who tells the screens once they are written. */
type OpenTasks = { known: Known; release: Statement[]; tell: () => void };

/** What is open and a person's to do: nobody else would take it from who no longer sees it. */
export async function openTasks(scope: Scope, user_id: string, which: Tasks): Promise<OpenTasks> {
  const { org_id, db, scheduler } = scope;
  const [orders, told] = [workorders(db, org_id), alarms(db, org_id)];
  const [open_workorders, open_alarms] = await db.batch([orders.openFor(user_id, which), told.openFor(user_id, which)]);
  const hasAny = open_workorders.length + open_alarms.length > 0;
  return {
    known: hasAny ? { open_workorders: open_workorders.map(idOf), open_alarms: open_alarms.map(idOf) } : {},
    release: [orders.releaseOf(user_id, which), told.releaseOf(user_id, which)],
    tell: () => {
      if (hasAny) scheduler.noteLists(org_id, ["workorders", "alarms"]);
    },
  };
}

/** The same of the alarms of a light that comes to a department which their person does not see. */
export async function unseenAlarms(scope: Scope, device_id: string, dept_id: string): Promise<OpenTasks> {
  const { org_id, db, scheduler } = scope;
  const told = alarms(db, org_id);
  const open_alarms = await told.unseenIn(device_id, dept_id);
  const hasAny = open_alarms.length > 0;
  return {
    known: hasAny ? { open_alarms: open_alarms.map(idOf) } : {},
    release: [told.releaseUnseen(device_id, dept_id)],
    tell: () => {
      if (hasAny) scheduler.noteLists(org_id, ["alarms"]);
    },
  };
}

const idOf = ({ id }: { id: string }) => id;
