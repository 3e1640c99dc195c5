import { areas } from "#db/areas";
import { lightsAt } from "#db/lights-at";
import { groups } from "#db/groups";
import { Refusal } from "#domain/errors";
import { groupInput, type GroupInput } from "#domain/schedule/group-schema";
import { MAX_GROUP } from "#domain/fields/limits";
import type { Group, MayWrite, ToggleRow } from "#domain/records/records";
import { ownDepts, visibleDepts } from "#domain/records/visibility";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { haveLeft } from "#worker/services/left-area";
import { moveLights } from "#worker/services/moves";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { readAnew } from "#worker/services/read-anew";
import { found, invalid } from "#worker/services/refuse";
import { withMayWrite } from "#worker/services/rights";
import { permit, type Scope, type Statement } from "#worker/services/scope";
import { toggleLights } from "#worker/services/toggles";
import { permitLights, permitLightsOf } from "#worker/services/targets";

/** A group is shown to whom one of its devices is shown; only those are named in answers. */
export function groupService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = groups(db, org_id);
  const find = async (id: string, depts: string[] | null): Promise<Group> => {
    const group = found(await repository.find(id, depts), "Group");
    return { ...group, name: found(group.name ?? undefined, "Group") };
  };
  const saved = (id: string): Promise<Group> => find(id, ownDepts(user));

  /**
   * The devices must be in the area, and the person must see them, whatever department is chosen. Of an edited group that
   * was read before (`wasRead`) one may have left the area since, and its form cannot say which.
   */
  async function parseGroup(input: unknown, wasRead = false): Promise<GroupInput> {
    const values = parse(groupInput, input);
    if (!(await areas(db, org_id).find(values.area_id))) throw invalid("area_id", "Area not found");
    const depts = await lightsAt(db, org_id).deptsAmong(values.device_ids, values.area_id, ownDepts(user));
    if (depts.length < values.device_ids.length) {
      if (wasRead && (await haveLeft(scope, values.device_ids, values.area_id))) throw new Refusal("conflict", LEFT);
      throw invalid("device_ids", "Choose devices of the chosen area");
    }
    permitLights(scope, depts);
    return values;
  }

  async function change(
    id: string,
    input: unknown,
    remember: (id: string) => Statement[],
    if_match?: number,
  ): Promise<Group> {
    const shown = await find(id, visibleDepts(user));
    await permitLightsOf(scope, { type: "group", id });
    const before = await find(id, null);
    const values = await parseGroup(input, if_match !== undefined);
    const isHidden = (device_id: string) => !shown.device_ids.includes(device_id);
    const hidden = values.area_id === before.area_id ? before.device_ids.filter(isHidden) : [];
    const device_ids = [...new Set([...values.device_ids, ...hidden])];
    if (device_ids.length > MAX_GROUP) throw invalid("device_ids", `A group has at most ${MAX_GROUP} devices`);
    const after = { ...values, device_ids };
    await commit(scope, "group", [
      ...repository.save(id, after, if_match ?? before.version),
      ...(after.area_id === before.area_id ? [] : await moveLights(scope, after.area_id, { group_id: id })),
      audited(scope, "update", "group", id, { before, after: { ...before, ...after } }),
      ...remember(id),
    ]);
    return saved(id);
  }

  /** Those of an area, or all. */
  async function list({ area_id }: { area_id?: string } = {}): Promise<Group[]> {
    permit(user, "group.see");
    const all = await repository.list(visibleDepts(user), area_id);
    return all.map((group) => ({ ...group, name: group.name ?? "" }));
  }

  return {
    list,

    /** Those of an area as on its page. */
    listed: async (area_id: string): Promise<(Group & MayWrite)[]> =>
      withMayWrite(scope, "group.save", await list({ area_id }), ({ id }) => ({ type: "group", id })),

    find: (id: string): Promise<Group> => {
      permit(user, "group.see");
      return find(id, visibleDepts(user));
    },

    /** A toggle of every visible light of the group; see `toggleLights`. Refuses with `not_found`, too. */
    toggle: async (id: string, input: unknown): Promise<ToggleRow[]> => {
      permit(user, "device.toggle");
      const { name } = await find(id, visibleDepts(user));
      return toggleLights(scope, { type: "group", id, name }, input);
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Group> => {
      permit(user, "group.save");
      return once(scope, { call: "group", input, again: saved }, async (remember) => {
        const values = await parseGroup(input);
        const id = scope.newId();
        await commit(scope, "group", [
          ...repository.create(id, values),
          audited(scope, "create", "group", id, { after: values }),
          ...remember(id),
        ]);
        return saved(id);
      });
    },

    /**
     * What the chosen department hides stays in the group. Refuses with `forbidden`, `not_found`, `invalid` and
     * `conflict`.
     */
    save: async (id: string, input: unknown, if_match?: number): Promise<Group> => {
      permit(user, "group.save");
      return once(scope, { call: `save of group ${id}`, input, again: saved }, (remember) =>
        readAnew("group", if_match, () => change(id, input, remember, if_match)),
      );
    },

    /** Refuses with `forbidden`, `not_found` and, while something that is not over is for it, `conflict`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "group.delete");
      return removeOnce(scope, `group ${id}`, async (remembered) => {
        await find(id, visibleDepts(user));
        await permitLightsOf(scope, { type: "group", id });
        const before = await find(id, null);
        const now = scope.now().toISOString();
        if (await repository.isUsed(id, now)) throw new Refusal("conflict", USED);
        await commit(scope, "group", [
          audited(scope, "delete", "group", id, { before }),
          ...repository.remove(id, now),
          ...remembered,
        ]);
      });
    },
  };
}

const LEFT = "A device of this group is in another area by now, or deleted. Reload and try again.";
const USED = "A schedule, closure or permit is for this group. Cancel or change it first.";
