import { devices } from "#db/devices";
import { hubs } from "#db/hubs";
import { deviceInput } from "#domain/light/device-schema";
import { Refusal } from "#domain/errors";
import { isDeviceId, vendorId } from "#domain/light/sockets";
import { hubAccountInput, hubAccountQuery, type HubAccountDevice, type ListedDevice } from "#domain/hubs/hub-account";
import type { Device } from "#domain/records/records";
import { isDeptShown } from "#domain/records/visibility";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { permitDept } from "#worker/services/department-choice";
import { permitPlace } from "#worker/services/permit-place";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { invalid } from "#worker/services/refuse";
import { permit, unanswered, type Scope, type Statement } from "#worker/services/scope";

/** What the vendor's account knows, and how it becomes devices here. */
export function hubAccountService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = devices(db, org_id);

  /** By the vendor's ID: the name of the device that is here, or null where its department is not shown. */
  async function namesHere(): Promise<Map<string, string | null>> {
    const all = await repository.list(null);
    return new Map(
      all.flatMap((device) =>
        [device.cloud_device_id, device.local_ref].flatMap((id) =>
          id ? [[vendorId(id), isDeptShown(user, device.dept_id) ? device.name : null] as const] : [],
        ),
      ),
    );
  }

  const listed = async (ids: string[]): Promise<Device[]> => {
    const wanted = new Set(ids);
    return (await repository.list(null)).filter(({ id }) => wanted.has(id));
  };

  return {
    /**
     * Every device that the account lists, with the reason where it cannot be added. Refuses with `forbidden`, with
     * `conflict` where the account must be set up first, and with `unavailable` where it did not answer.
     */
    list: async (query: unknown = {}): Promise<HubAccountDevice[]> => {
      permit(user, "device.save");
      const { hub_id = "" } = parse(hubAccountQuery, query);
      if (hub_id && !(await hubs(db, org_id).find(hub_id))) throw invalid("hub_id", "Hub not found");
      const [listed, here] = await Promise.all([
        scope.scheduler.listHubAccount({ org_id, hub_id: hub_id || null }).catch(unanswered),
        namesHere(),
      ]);
      if (!listed.ok) {
        const code = listed.reason === "refused" ? "conflict" : "unavailable";
        throw new Refusal(code, `The hub account cannot be listed: ${listed.detail}`);
      }
      return listed.devices.map(({ is_light, ...device }) => ({
        ...device,
        refusal: refusalOf({ ...device, is_light }, here),
      }));
    },

    /**
     * Adds the chosen devices, all or none, each with an audit entry. Refuses with `forbidden`, and with `invalid` what
     * is here already or has no such area, hub or department.
     */
    add: async (input: unknown): Promise<Device[]> => {
      permit(user, "device.save");
      // Of an answer that was lost the key remembers all devices.
      const again = (ids: string) => listed(ids.split(","));
      return once(scope, { call: "hub-account", input, again }, async (remember) => {
        const { devices: chosen, ...place } = parse(hubAccountInput, input);
        await permitDept(scope, place.dept_id);
        await permitPlace(scope, place);
        const here = await namesHere();
        const made = chosen.map((one) => {
          const refusal = hereAlready(one.cloud_device_id, here);
          if (refusal !== null) throw invalid("devices", `${one.name}: ${refusal}`);
          here.set(vendorId(one.cloud_device_id), one.name);
          return { id: scope.newId(), values: parse(deviceInput, { ...place, ...one }) };
        });
        const [first, ...others] = made.flatMap(({ id, values }): Statement[] => [
          repository.create(id, values),
          audited(scope, "create", "device", id, { after: values }),
        ]);
        const ids = made.map(({ id }) => id);
        const alone = repository.alone(ids, [...new Set(chosen.map((one) => vendorId(one.cloud_device_id)))]);
        if (first) await commit(scope, "device", [first, ...others, alone, ...remember(ids.join(","))]);
        return listed(ids);
      });
    },
  };
}

function refusalOf({ cloud_device_id, type, is_light }: ListedDevice, here: Map<string, string | null>): string | null {
  if (!is_light) return type === "other" ? "Not a light" : `A ${type.toLowerCase()}, not a light`;
  if (!isDeviceId(cloud_device_id)) return "Its ID is not one that can be switched";
  return hereAlready(cloud_device_id, here);
}

function hereAlready(cloud_device_id: string, here: Map<string, string | null>): string | null {
  const name = here.get(vendorId(cloud_device_id));
  if (name === undefined) return null;
  return name === null ? "Here already, in a department that is not shown to you" : `Here already, as "${name}"`;
}
