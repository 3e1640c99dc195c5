import { areas } from "#db/areas";
import { devices } from "#db/devices";
import { workorders } from "#db/workorders";
import { OPEN_WORKORDERS, type WorkorderStatus } from "#domain/enums";
import { workorderQuery, type PlacedPage } from "#domain/lists/list-query";
import { mayDeleteWorkorder, mayWriteInDept } from "#domain/organization/permissions";
import type { PlacedWorkorder, Workorder } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { workorderInput, type WorkorderInput } from "#domain/alarms/workorder-schema";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { permitDept } from "#worker/services/department-choice";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found, invalid, judgeAnew, permitRecord, permitVersion } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

/** Work orders are visible to their department; everyone may create and edit them. */
export function workorderService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = workorders(db, org_id);
  const find = async (id: string): Promise<Workorder> =>
    found(await repository.find(id, visibleDepts(user)), "Workorder");
  const saved = async (id: string): Promise<Workorder> => found(await repository.find(id, null), "Workorder");

  async function parseWorkorder(input: unknown, before?: Workorder): Promise<WorkorderInput> {
    const values = parse(workorderInput, input);
    await permitDept(scope, values.dept_id, before?.dept_id);
    await checkReferences(values, before);
    return values;
  }

  /** Checks changed references only; an unchanged one stays even if this person cannot see its record. */
  async function checkReferences({ area_id, device_id, assigned_to }: WorkorderInput, before?: Workorder) {
    if (area_id && area_id !== before?.area_id && !(await areas(db, org_id).find(area_id))) {
      throw invalid("area_id", "Area not found");
    }
    if (assigned_to && assigned_to !== before?.assigned_to && !(await repository.findAssignee(assigned_to))) {
      throw invalid("assigned_to", "Assignee not found");
    }
    const place = area_id === undefined ? before?.area_id : area_id;
    const light = device_id === undefined ? before?.device_id : device_id;
    if (!light || (light === before?.device_id && place === before?.area_id)) return;
    const device = await devices(db, org_id).find(light, visibleDepts(user));
    if (!device) throw invalid("device_id", "Device not found");
    if (place && device.area_id !== place) throw invalid("device_id", "Choose a device of the chosen area");
  }

  /**
   * An edit with what follows from it. What was done keeps the area and the person that it had. Taken up again, it is where
   * its light is by now, and nobody's if its person has left, as is what comes to a department that they do not see; what is
   * chosen in the same edit stays.
   */
  async function followedUp(values: WorkorderInput, before: Workorder): Promise<WorkorderInput> {
    const { status = before.status, dept_id = before.dept_id, assigned_to = before.assigned_to } = values;
    const isAgain = isDone(before.status);
    if (isDone(status) || (!isAgain && dept_id === before.dept_id)) return values;
    const { area_id = before.area_id, device_id = before.device_id } = values;
    const isPlaced = isAgain && device_id && device_id === before.device_id && area_id && area_id === before.area_id;
    const seen = assigned_to === before.assigned_to ? dept_id : null;
    const [light, assignee] = await Promise.all([
      isPlaced ? devices(db, org_id).find(device_id, null) : undefined,
      assigned_to ? repository.findAssignee(assigned_to, seen) : undefined,
    ]);
    return {
      ...values,
      ...(light && { area_id: light.area_id }),
      ...(assigned_to && !assignee && { assigned_to: null }),
    };
  }

  return {
    list: (): Promise<Workorder[]> => {
      permit(user, "workorder.see");
      return repository.list(visibleDepts(user));
    },

    /** The page for a screen's query string, and the areas to filter by. */
    page: (query: unknown): Promise<PlacedPage<PlacedWorkorder>> => {
      permit(user, "workorder.see");
      return repository.page(parse(workorderQuery, query), visibleDepts(user));
    },

    /** Refuses with `forbidden` and `not_found`. */
    find: (id: string): Promise<Workorder> => {
      permit(user, "workorder.see");
      return find(id);
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Workorder> => {
      permit(user, "workorder.save");
      return once(scope, { call: "workorder", input, again: saved }, async (remember) => {
        const asked = await parseWorkorder(input);
        const values = { ...asked, completed_at: asked.status === "completed" ? scope.now().toISOString() : null };
        const id = scope.newId();
        await commit(scope, "workorder", [
          repository.create(id, { ...values, created_by: user.id }),
          audited(scope, "create", "workorder", id, { after: values }),
          ...remember(id),
        ]).catch(judgeAnew(() => checkReferences(asked)));
        return saved(id);
      });
    },

    /** Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Workorder> => {
      permit(user, "workorder.save");
      return once(scope, { call: `save of workorder ${id}`, input, again: saved }, async (remember) => {
        const before = await find(id);
        permitRecord(mayWriteInDept(user, before.dept_id));
        // Its light may have taken it to another area.
        permitVersion(before, "workorder", if_match);
        const values = await followedUp(await parseWorkorder(input, before), before);
        const { device_id = before.device_id, area_id = before.area_id } = values;
        const isPlaced = device_id !== before.device_id || area_id !== before.area_id;
        const place = isPlaced ? { device_id, area_id } : {};
        const follows = isPlaced || !isDone(values.status ?? before.status);
        await commit(scope, "workorder", [
          repository.save(id, { ...values, ...place }, { at: scope.now().toISOString(), follows, if_match }),
          audited(scope, "update", "workorder", id, { before, after: { ...before, ...values } }),
          ...remember(id),
        ]).catch(judgeAnew(() => checkReferences(values, before)));
        return saved(id);
      });
    },

    /** For admins, managers and the creator. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "workorder.delete");
      return removeOnce(scope, `workorder ${id}`, async (remembered) => {
        const before = await find(id);
        permitRecord(mayDeleteWorkorder(user, before) && mayWriteInDept(user, before.dept_id));
        await commit(scope, "workorder", [
          audited(scope, "delete", "workorder", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },
  };
}

function isDone(status: WorkorderStatus): boolean {
  return !OPEN_WORKORDERS.includes(status);
}
