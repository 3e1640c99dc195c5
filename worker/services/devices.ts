import { devices } from "#db/devices";
import { lightsAt } from "#db/lights-at";
import { hubs } from "#db/hubs";
import type { DeviceDetail } from "#domain/records/detail-records";
import { deviceInput, type DeviceInput } from "#domain/light/device-schema";
import type { Explanation } from "#domain/resolve/explanation";
import type { Emergencies } from "#domain/resolve/emergencies";
import type { Told } from "#domain/light/refusal";
import { deviceQuery, PAGE_SIZE, type PlacedPage } from "#domain/lists/list-query";
import { mayToggle, mayWriteInDept, readOnlyDepts } from "#domain/organization/permissions";
import type { Device, DeviceChoices, ToggleResult } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { around } from "#worker/services/around";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { permitDept } from "#worker/services/department-choice";
import { permitPlace } from "#worker/services/permit-place";
import { explainSoon } from "#worker/services/engine-answers";
import { moveLights } from "#worker/services/moves";
import { once, removeOnce } from "#worker/services/once";
import { unseenAlarms } from "#worker/services/open-tasks";
import { parse } from "#worker/services/parse";
import { found, judgeAnew, permitRecord, permitVersion } from "#worker/services/refuse";
import { permit, unanswered, type Scope } from "#worker/services/scope";
import { parseToggle } from "#worker/services/toggles";

/** The most devices in one select; in a larger city people choose the area first. */
const MOST_CHOICES = 500;

/** Visibility goes by department. A hidden device is answered as one that does not exist. */
export function deviceService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = devices(db, org_id);
  const find = async (id: string): Promise<Device> => found(await repository.find(id, visibleDepts(user)), "Device");
  /** The saved device, even if its department is not the chosen one. */
  const saved = async (id: string): Promise<Device> => found(await repository.find(id, null), "Device");

  async function parseDevice(input: unknown, before?: Device): Promise<DeviceInput> {
    const values = parse(deviceInput, input);
    await permitDept(scope, values.dept_id, before?.dept_id);
    const hub_id = values.hub_id === undefined ? before?.hub_id : values.hub_id;
    await permitPlace(scope, { area_id: values.area_id, hub_id });
    return values;
  }

  return {
    list: (): Promise<Device[]> => {
      permit(user, "device.see");
      return repository.list(visibleDepts(user));
    },

    /**
     * The page for a screen's query string, the areas to filter by, how many devices are wrong, of all that are found, and
     * how many are in hidden departments.
     */
    page: (query: unknown): Promise<PlacedPage<Device> & { hidden: number; wrong: number }> => {
      permit(user, "device.see");
      return repository.page(parse(deviceQuery, query), visibleDepts(user));
    },

    /** The choices of a select: all devices, or, above MOST_CHOICES, those of `area` or of the area of `device`. */
    choices: async ({ area, device }: { area?: string; device?: string }): Promise<DeviceChoices> => {
      permit(user, "device.see");
      const depts = visibleDepts(user);
      const isNarrowed = await repository.areMore(MOST_CHOICES, depts);
      if (!isNarrowed) return { devices: await repository.choices(undefined, depts), isNarrowed };
      const area_id = area || (device && (await repository.find(device, depts))?.area_id);
      return { devices: area_id ? await repository.choices(area_id, depts) : [], isNarrowed };
    },

    /** What the person's OFF of all of an area's lights, or of one of its groups', would end: it passes over what they only read. */
    emergencies: (area_id: string): Promise<Emergencies> => {
      permit(user, "device.see");
      return lightsAt(db, org_id).emergenciesIn(area_id, visibleDepts(user), readOnlyDepts(user));
    },

    /** Whether there is any light of an area that the person may switch. */
    maySwitchAny: (area_id: string): Promise<boolean> => {
      permit(user, "device.see");
      return lightsAt(db, org_id).isAnyOutside(area_id, visibleDepts(user), readOnlyDepts(user));
    },

    find: (id: string): Promise<Device> => {
      permit(user, "device.see");
      return find(id);
    },

    /** Everything on the device's page, in two round trips. Refuses with `not_found`. */
    detail: async (id: string): Promise<DeviceDetail> => {
      permit(user, "device.see");
      const device = await find(id);
      const [explained, near, ofHub] = await Promise.all([
        explainSoon(scope, [id]),
        around(scope, { device_id: id }),
        device.hub_id ? hubs(db, org_id).withHealth({ id: device.hub_id }) : [],
      ]);
      return { device, explanation: explained.get(id) ?? null, hub: ofHub[0] ?? null, ...near };
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Device> => {
      permit(user, "device.save");
      return once(scope, { call: "device", input, again: saved }, async (remember) => {
        const values = await parseDevice(input);
        const id = scope.newId();
        await commit(scope, "device", [
          repository.create(id, values),
          audited(scope, "create", "device", id, { after: values }),
          ...remember(id),
        ]).catch(judgeAnew(() => parseDevice(input)));
        return saved(id);
      });
    },

    /** Moving it to another area moves its schedules. Refuses with `forbidden`, `not_found`, `invalid`, `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Device> => {
      permit(user, "device.save");
      return once(scope, { call: `save of device ${id}`, input, again: saved }, async (remember) => {
        const before = await find(id);
        permitRecord(mayWriteInDept(user, before.dept_id));
        // Its hub may have taken it to another area.
        permitVersion(before, "device", if_match);
        const values = await parseDevice(input, before);
        const { dept_id } = values;
        const unseen = dept_id && dept_id !== before.dept_id ? await unseenAlarms(scope, id, dept_id) : null;
        await commit(scope, "device", [
          repository.save(id, values, if_match),
          ...(unseen?.release ?? []),
          ...(values.area_id === before.area_id ? [] : await moveLights(scope, values.area_id, { device_id: id })),
          audited(scope, "update", "device", id, {
            before: { ...before, ...unseen?.known },
            after: { ...before, ...values },
          }),
          ...remember(id),
        ]);
        unseen?.tell();
        return saved(id);
      });
    },

    /** Also deletes its schedules. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "device.delete");
      return removeOnce(scope, `device ${id}`, async (remembered) => {
        const before = await find(id);
        permitRecord(mayWriteInDept(user, before.dept_id));
        await commit(scope, "device", [
          audited(scope, "delete", "device", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },

    /** Why the light is on or off, and when that can change. Refuses with `unavailable` if the engine cannot be reached. */
    explain: async (id: string): Promise<Explanation> => {
      permit(user, "device.see");
      await find(id);
      const [explanation] = await scope.scheduler.explain({ org_id, device_ids: [id] }).catch(unanswered);
      return found(explanation, "Device");
    },

    /** The same in words per device, by id, and why an ON would be refused; none if the engine does not answer at once. */
    told: async (shown: Pick<Device, "id">[]): Promise<Record<string, Told>> => {
      permit(user, "device.see");
      const explained = await explainSoon(
        scope,
        shown.map(({ id }) => id),
      );
      return Object.fromEntries([...explained].map(([id, { sentence, refusal }]) => [id, { sentence, refusal }]));
    },

    /** When each of the visible devices among so many is next to go on (ISO 8601), by id; null if it is not to. */
    nextOn: async (ids: string[]): Promise<Map<string, string | null>> => {
      permit(user, "device.see");
      const visible = await repository.among(ids.slice(0, PAGE_SIZE), visibleDepts(user));
      const explained = await explainSoon(scope, visible);
      return new Map(
        [...explained].map(([id, { next_flip }]) => [id, next_flip?.state === "on" ? next_flip.at : null]),
      );
    },

    /**
     * A person's ON or OFF, with an end if they like, or the way back to the schedule. An ON that something keeps dark and
     * a silent device are answers with `success` false. Refuses with `forbidden` and `invalid`, and with `unavailable` only
     * if the engine cannot be reached.
     */
    toggle: async (id: string, input: unknown): Promise<ToggleResult> => {
      permit(user, "device.toggle");
      const device = await find(id);
      permitRecord(mayToggle(user, device));
      const wish = parseToggle(scope, input);
      // Audit the intent first, since an engine that answers late, or never, may still have switched.
      await db.batch([audited(scope, "toggle", "device", id, { after: { name: device.name, ...wish } })]);
      const actor = { id: user.id, email: user.email };
      return scope.scheduler.toggle({ org_id, device_id: id, actor, ...wish }).catch(unanswered);
    },
  };
}
