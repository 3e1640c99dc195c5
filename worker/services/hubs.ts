import { agents } from "#db/agents";
import { areas } from "#db/areas";
import { dependents } from "#db/dependents";
import { hubs } from "#db/hubs";
import { seal } from "#db/sealed";
import { hubInput, type HubInput } from "#domain/hubs/hub-schema";
import { hubQuery, type PlacedPage } from "#domain/lists/list-query";
import { reachWarning } from "#domain/hubs/hub-reach";
import { movedSentence } from "#domain/records/dependents";
import type { Hub, HubHealth, HubSaved, MayAffect } from "#domain/records/records";
import { SYSTEM_DEFAULTS } from "#domain/records/setting-defaults";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { permitDevices } from "#worker/services/department-choice";
import { moveLights } from "#worker/services/moves";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found, invalid } from "#worker/services/refuse";
import { rightsAt } from "#worker/services/rights";
import { permit, type Scope } from "#worker/services/scope";
import { reachOf, reachWarningIn } from "#worker/services/settings";

/** Hubs have no department; everyone in the organization sees them all. */
export function hubService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = hubs(db, org_id);
  const find = async (id: string): Promise<Hub> => found(await repository.find(id), "Hub");

  /** With what may surprise people; `moved` says what became of its lights. */
  const saved = async (id: string, moved: string | null = null): Promise<HubSaved> => {
    const hub = await find(id);
    const warnings = [moved, reachWarning(hub, await reachOf(scope))];
    return { ...hub, warnings: warnings.filter((warning) => warning !== null) };
  };

  async function parseHub(input: unknown): Promise<HubInput> {
    const values = parse(hubInput({ loopback: scope.demo }), input);
    if (!(await areas(db, org_id).find(values.area_id))) throw invalid("area_id", "Area not found");
    if (values.agent_id && !(await agents(db, org_id).find(values.agent_id)))
      throw invalid("agent_id", "Agent not found");
    return values;
  }

  return {
    list: ({ area_id }: { area_id?: string } = {}): Promise<Hub[]> => {
      permit(user, "hub.see");
      return repository.list(area_id);
    },

    /** The page for a screen's query string, each hub with its warning, and the areas to filter by. */
    page: async (query: unknown): Promise<PlacedPage<Hub & MayAffect & { warning: string | null }>> => {
      permit(user, "hub.see");
      const { mode = SYSTEM_DEFAULTS.PROVIDER_MODE, ...page } = await repository.page(parse(hubQuery, query));
      const reach = { mode, direct: scope.direct };
      const rightsOf = await rightsAt(
        scope,
        "hub.save",
        page.rows.map(({ id }) => ({ type: "hub", id })),
      );
      const rows = page.rows.map((hub) => {
        return { ...hub, warning: reachWarning(hub, reach), may_affect: rightsOf(hub).may_affect };
      });
      return { ...page, rows };
    },

    /** What to know of the hubs that are out of reach as they are saved, in a sentence; null where there is none. */
    warning: async (): Promise<string | null> => {
      permit(user, "hub.see");
      return reachWarningIn(scope, await reachOf(scope));
    },

    /** The health of every hub; `unknown`, with nulls, before the first check. */
    health: (): Promise<HubHealth[]> => {
      permit(user, "hub.see");
      return repository.health();
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<HubSaved> => {
      permit(user, "hub.save");
      return once(scope, { call: "hub", input, again: saved }, async (remember) => {
        const values = await parseHub(input);
        const id = scope.newId();
        await commit(scope, "hub", [
          repository.create(id, await sealed(scope, values)),
          audited(scope, "create", "hub", id, { after: withoutCredentials(values) }),
          ...remember(id),
        ]);
        return saved(id);
      });
    },

    /**
     * A new area moves its devices; a new address or port drops the stored credentials unless the input brings new ones.
     * Refuses with `forbidden`, `not_found`, `invalid` and `conflict`.
     */
    save: async (id: string, input: unknown, if_match?: number): Promise<HubSaved> => {
      permit(user, "hub.save");
      return once(scope, { call: `save of hub ${id}`, input, again: saved }, async (remember) => {
        const before = await find(id);
        const values = await parseHub(input);
        const isMoved = values.area_id !== before.area_id;
        if (isMoved) await permitDevices(scope, { hub_id: id });
        const left = isMoved ? await dependents(db, org_id).leftBy({ hub_id: id }, scope.now().toISOString()) : {};
        await commit(scope, "hub", [
          repository.save(id, await sealed(scope, values), if_match),
          repository.moveDevices(id, values.area_id),
          ...(isMoved ? await moveLights(scope, values.area_id, { hub_id: id }) : []),
          audited(scope, "update", "hub", id, { before, after: { ...before, ...withoutCredentials(values, before) } }),
          ...remember(id),
        ]);
        return saved(id, movedSentence(left, "moved"));
      });
    },

    /** Its devices stay, without a hub. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "hub.delete");
      return removeOnce(scope, `hub ${id}`, async (remembered) => {
        const before = await find(id);
        await permitDevices(scope, { hub_id: id });
        await commit(scope, "hub", [
          audited(scope, "delete", "hub", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },
  };
}

async function sealed({ settings_key }: Scope, values: HubInput): Promise<HubInput> {
  const { local_client_id, local_client_secret } = values;
  return {
    ...values,
    ...(local_client_id ? { local_client_id: await seal(local_client_id, settings_key) } : {}),
    ...(local_client_secret ? { local_client_secret: await seal(local_client_secret, settings_key) } : {}),
  };
}

/** The audit log may record that credentials were written or dropped, never their values. */
function withoutCredentials({ local_client_id, local_client_secret, ...values }: HubInput, before?: Hub) {
  const { ip_address = before?.ip_address, port = before?.port } = values;
  const given = [local_client_id, local_client_secret].filter((credential) => credential !== undefined);
  const isBrought = given.some((credential) => credential !== null);
  const isElsewhere = ip_address !== before?.ip_address || port !== before?.port;
  const isTaken = before?.has_local_credentials && (given.length > 0 || isElsewhere);
  const change = isBrought ? "changed" : isTaken ? "removed" : null;
  // Of an edited hub the entry takes from the row whether it has any: one of the two may be left.
  return { ...values, has_local_credentials: isBrought, ...(change ? { local_credentials: change } : {}) };
}
