import { areas } from "#db/areas";
import { devices } from "#db/devices";
import { hubs } from "#db/hubs";
import { areaInput } from "#domain/organization/area-schema";
import type { AreaDetail } from "#domain/records/detail-records";
import { areaQuery, PAGE_SIZE, type Page } from "#domain/lists/list-query";
import type { AreaGuardrails } from "#domain/guardrails/limit-records";
import { policyWords, type PolicyInForce } from "#domain/guardrails/policy";
import type { Area, MayAffect, Rights, ToggleRow } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { around } from "#worker/services/around";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { dashboardService } from "#worker/services/dashboard";
import { permitDevices } from "#worker/services/department-choice";
import { explainSoon } from "#worker/services/engine-answers";
import { guardrailsOfArea } from "#worker/services/guardrails-in-force";
import { firstPositions, moveArea } from "#worker/services/moves";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found } from "#worker/services/refuse";
import { rightsAt } from "#worker/services/rights";
import { permit, type Scope } from "#worker/services/scope";
import { toggleLights } from "#worker/services/toggles";

/** Areas have no department; everyone in the organization sees them all. */
export function areaService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = areas(db, org_id);
  const find = async (id: string): Promise<Area> => found(await repository.find(id), "Area");
  const rights = (rows: Area[]) =>
    rightsAt(
      scope,
      "area.save",
      rows.map(({ id }) => ({ type: "area", id })),
    );

  return {
    list: (): Promise<Area[]> => {
      permit(user, "area.see");
      return repository.list();
    },

    /** The page for a screen's query string. */
    page: async (query: unknown): Promise<Page<Area & MayAffect>> => {
      permit(user, "area.see");
      const page = await repository.page(parse(areaQuery, query));
      const rightsOf = await rights(page.rows);
      return { ...page, rows: page.rows.map((area) => ({ ...area, may_affect: rightsOf(area).may_affect })) };
    },

    /** One of them, as on its page. Refuses with `not_found`. */
    find: async (id: string): Promise<Area & Rights> => {
      permit(user, "area.see");
      const area = await find(id);
      return { ...area, ...(await rights([area]))(area) };
    },

    /** Everything on the area's page, with the first page of its devices. Refuses with `not_found`. */
    detail: async (id: string): Promise<AreaDetail> => {
      permit(user, "area.see");
      const area = await find(id);
      const depts = visibleDepts(user);
      const [summary, shown, ofArea, near] = await Promise.all([
        dashboardService(scope).find(id),
        devices(db, org_id).ofArea(id, depts, PAGE_SIZE),
        hubs(db, org_id).withHealth({ area_id: id }),
        around(scope, { area_id: id }),
      ]);
      const ids = shown.map((device) => device.id);
      const explained = await explainSoon(scope, ids);
      return {
        area,
        summary,
        devices: shown.map((device) => {
          const { sentence = null, refusal = null } = explained.get(device.id) ?? {};
          return { ...device, sentence, refusal };
        }),
        hubs: ofArea,
        ...near,
      };
    },

    /** The guardrails in force for its lights, each with the level that says so. Refuses with `not_found`. */
    guardrails: async (id: string): Promise<AreaGuardrails> => {
      permit(user, "area.see");
      await find(id);
      const { area, groups } = await guardrailsOfArea(scope, id);
      return {
        ...inForce(area),
        groups: groups.map(({ in_force, ...group }) => ({ ...group, ...inForce(in_force) })),
      };
    },

    /** A toggle of every visible light of the area; see `toggleLights`. Refuses with `not_found`, too. */
    toggle: async (id: string, input: unknown): Promise<ToggleRow[]> => {
      permit(user, "device.toggle");
      const { name } = await find(id);
      return toggleLights(scope, { type: "area", id, name }, input);
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Area> => {
      permit(user, "area.save");
      return once(scope, { call: "area", input, again: find }, async (remember) => {
        const values = parse(areaInput, input);
        const id = scope.newId();
        const positions = await firstPositions(scope, values);
        await commit(scope, "area", [
          repository.create(id, { ...values, positions }),
          audited(scope, "create", "area", id, { after: values }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /** Replaces the fields in the input. Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Area> => {
      permit(user, "area.save");
      return once(scope, { call: `save of area ${id}`, input, again: find }, async (remember) => {
        const before = await find(id);
        const values = parse(areaInput, input);
        // Out of use, all its lights ignore what is booked.
        if (values.active !== undefined && values.active !== before.active) await permitDevices(scope, { area_id: id });
        const move = await moveArea(scope, before, values);
        await commit(scope, "area", [
          repository.save(id, { ...values, ...move.values }, if_match),
          ...move.statements,
          audited(scope, "update", "area", id, { before, after: { ...before, ...values } }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /** Also deletes its hubs, devices and their schedules. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "area.delete");
      return removeOnce(scope, `area ${id}`, async (remembered) => {
        const before = await find(id);
        await permitDevices(scope, { area_id: id });
        await commit(scope, "area", [
          audited(scope, "delete", "area", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },
  };
}

function inForce(policy: PolicyInForce): Omit<AreaGuardrails, "groups"> {
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, dark_source, max_on_source } = policy;
  return {
    HARD_CURFEW_OFF: { value: HARD_CURFEW_OFF, source: dark_source },
    BLACKOUT_WINDOW: { value: BLACKOUT_WINDOW, source: dark_source },
    MAX_ON_DURATION_MIN: { value: MAX_ON_DURATION_MIN, source: max_on_source },
    words: policyWords(policy),
  };
}
