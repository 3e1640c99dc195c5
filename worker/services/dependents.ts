import { areas } from "#db/areas";
import { departments } from "#db/departments";
import { dependents } from "#db/dependents";
import { devices } from "#db/devices";
import { hubs } from "#db/hubs";
import { dependentsSentence, movedLightSentence, movedSentence, type Owner } from "#domain/records/dependents";
import type { Capability } from "#domain/organization/permissions";
import { visibleDepts } from "#domain/records/visibility";
import { found } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

/** What is asked before a record is deleted; each verb takes the record's id. */
export function dependentService(scope: Scope) {
  const { user, org_id, db } = scope;

  /** All that depends on it is counted, of departments that the person does not see, too. */
  async function sentence(owner: Owner, needs: Capability, id: string): Promise<string> {
    permit(user, needs);
    found(await finders[owner](id), NAMES[owner]);
    return dependentsSentence(owner, await dependents(db, org_id).count(owner, id, scope.now().toISOString()));
  }

  const finders: Record<Owner, (id: string) => PromiseLike<object | undefined>> = {
    area: (id) => areas(db, org_id).find(id),
    hub: (id) => hubs(db, org_id).find(id),
    device: (id) => devices(db, org_id).find(id, visibleDepts(user)),
    department: (id) => departments(db, org_id).find(id),
  };

  return {
    /** What moving a hub to another area would do to its lights; null where it has none. Refuses as the others do. */
    movedHub: async (id: string): Promise<string | null> => {
      permit(user, "hub.save");
      found(await finders.hub(id), NAMES.hub);
      return movedSentence(await dependents(db, org_id).leftBy({ hub_id: id }, scope.now().toISOString()));
    },

    /**
     * What a light would leave in another area, or, as `moved`, in the words for when it has; null where that is nothing.
     * Refuses as the others do.
     */
    movedDevice: async (id: string, when?: "moved"): Promise<string | null> => {
      permit(user, "device.save");
      found(await finders.device(id), NAMES.device);
      return movedLightSentence(
        await dependents(db, org_id).leftBy({ device_id: id }, scope.now().toISOString()),
        when,
      );
    },

    /** Each refuses with `forbidden` and `not_found`. */
    area: (id: string) => sentence("area", "area.delete", id),
    hub: (id: string) => sentence("hub", "hub.delete", id),
    device: (id: string) => sentence("device", "device.delete", id),
    department: (id: string) => sentence("department", "department.edit", id),
  };
}

const NAMES: Record<Owner, string> = { area: "Area", hub: "Hub", device: "Device", department: "Department" };
