import type { Place } from "#db/lights-at";
import { policies } from "#db/policies";
import { AREA_TYPES, POLICY_SCOPES, type PolicyScope } from "#domain/enums";
import { Refusal } from "#domain/errors";
import type { Policy } from "#domain/guardrails/limit-records";
import { policyInput } from "#domain/guardrails/policy-schema";
import type { Rights } from "#domain/records/records";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { readAnew } from "#worker/services/read-anew";
import { found, judgeAnew } from "#worker/services/refuse";
import { rightsAt } from "#worker/services/rights";
import { permit, type Scope } from "#worker/services/scope";
import { permitLightsOf } from "#worker/services/targets";

const ADDED = "This policy was added by someone else meanwhile. Reload and try again.";
const REMOVED = "This policy was removed by someone else meanwhile. Reload and try again.";
const INHERITS = { HARD_CURFEW_OFF: null, BLACKOUT_WINDOW: null, MAX_ON_DURATION_MIN: null };

/** The guardrails of area types, areas and groups, which come before the organization's. */
export function policyService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = policies(db, org_id);
  const saved = async (of: PolicyScope, id: string): Promise<Policy> => found(await repository.find(of, id), "Policy");

  /** The scope, if the record that the policy is for exists, and the person may write all of its lights. */
  async function placed(text: string, id: string): Promise<PolicyScope> {
    const of = found(
      POLICY_SCOPES.find((known) => known === text),
      "Policy",
    );
    if (of === "type")
      found(
        AREA_TYPES.find((type) => type === id),
        "Area type",
      );
    else {
      found(await repository.place(of, id), of === "area" ? "Area" : "Group");
      // Hours in which a place is dark switch its lights, as a closure does.
      await permitLightsOf(scope, { type: of, id });
    }
    return of;
  }

  return {
    list: (): Promise<Policy[]> => {
      permit(user, "guardrails.edit");
      return repository.list();
    },

    /** What the person may set for each of these areas and groups. */
    rightsAt: (places: Place[]): Promise<(place: Pick<Place, "id">) => Rights> => {
      permit(user, "guardrails.edit");
      return rightsAt(scope, "guardrails.edit", places);
    },

    /**
     * Makes the policy of a type, an area or a group that has none. Refuses with `forbidden`, `not_found`, `invalid` and,
     * where there is one by now, `conflict`: what it says would be replaced unseen.
     */
    create: async (of_scope: string, id: string, input: unknown): Promise<Policy> => {
      permit(user, "guardrails.edit");
      const of = await placed(of_scope, id);
      const again = () => saved(of, id);
      return once(scope, { call: `policy of ${of}:${id}`, input, again }, async (remember) => {
        const after = { ...INHERITS, ...parse(policyInput, input) };
        if (await repository.find(of, id)) throw new Refusal("conflict", ADDED);
        await commit(scope, "policy", [
          repository.create(of, id, after),
          audited(scope, "create", "policy", `${of}:${id}`, { after }),
          ...remember(`${of}:${id}`),
        ]).catch(judgeAnew(() => placed(of, id)));
        return saved(of, id);
      });
    },

    /** Makes or changes the policy of a type, an area or a group. Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (of_scope: string, id: string, input: unknown, if_match?: number): Promise<Policy> => {
      permit(user, "guardrails.edit");
      const of = await placed(of_scope, id);
      const again = () => saved(of, id);
      return once(scope, { call: `save of policy ${of}:${id}`, input, again }, (remember) =>
        readAnew("policy", if_match, async () => {
          const before = await repository.find(of, id);
          const values = { ...INHERITS, ...before, ...parse(policyInput, input) };
          if (!before && if_match !== undefined) throw new Refusal("conflict", REMOVED);
          const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN } = values;
          const after = { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN };
          const [write, action] = before
            ? [repository.save(of, id, after, if_match ?? before.version), "update"]
            : [repository.create(of, id, after), "create"];
          await commit(scope, "policy", [
            write,
            audited(scope, action, "policy", `${of}:${id}`, { before, after: { ...before, ...after } }),
            ...remember(`${of}:${id}`),
          ]).catch(judgeAnew(() => placed(of, id)));
          return saved(of, id);
        }),
      );
    },

    /** Its lights then inherit what the levels above say. Refuses with `forbidden` and `not_found`. */
    remove: async (of_scope: string, id: string): Promise<void> => {
      permit(user, "guardrails.edit");
      return removeOnce(scope, `policy ${of_scope}:${id}`, async (remembered) => {
        const of = await placed(of_scope, id);
        const before = await saved(of, id);
        await commit(scope, "policy", [
          audited(scope, "delete", "policy", `${of}:${id}`, { before }),
          repository.remove(of, id),
          ...remembered,
        ]);
      });
    },
  };
}
