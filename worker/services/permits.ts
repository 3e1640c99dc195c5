import { permits } from "#db/permits";
import type { Permit, PermitMade } from "#domain/guardrails/limit-records";
import { limitQuery } from "#domain/guardrails/limit-query";
import { permitInput, permitProblem } from "#domain/guardrails/permit-schema";
import { permitWarnings, type RulesOfLights } from "#domain/guardrails/permit-warnings";
import type { MayWrite } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { targetInput } from "#domain/schedule/target-schema";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { guardrailsOfLights } from "#worker/services/guardrails-in-force";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found, refuseProblem } from "#worker/services/refuse";
import { withMayWrite } from "#worker/services/rights";
import { permit, type Scope } from "#worker/services/scope";
import { settingsService } from "#worker/services/settings";
import { permitTarget } from "#worker/services/targets";

/** Times in which the dark time and max on do not apply: the way past a curfew on a Saturday night. */
export function permitService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = permits(db, org_id);
  const saved = async (id: string): Promise<Permit> => found(await repository.find(id, null), "Permit");

  async function withWarnings(id: string): Promise<PermitMade> {
    const made = await saved(id);
    const rules = await guardrailsOfLights(scope, made.target, made.area_id);
    return { ...made, warnings: permitWarnings(made, rules, scope.now().getTime()) };
  }

  /** What is in force or to come, or what is over. Refuses with `forbidden` and `invalid`. */
  async function list(query: unknown = {}): Promise<Permit[]> {
    permit(user, "permit.see");
    const { past, area_id } = parse(limitQuery, query);
    const show = past === "true" ? repository.over : repository.coming;
    return show(scope.now().toISOString(), visibleDepts(user), area_id);
  }

  return {
    list,

    /** The same as on their screen. */
    listed: async (query: unknown): Promise<(Permit & MayWrite)[]> =>
      withMayWrite(scope, "permit.save", await list(query), ({ target }) => target),

    /** The guardrails of a target's lights, for the form to warn by. Refuses with `forbidden` and `invalid`. */
    limits: async (asked: unknown): Promise<RulesOfLights[]> => {
      permit(user, "permit.save");
      const target = parse(targetInput, asked);
      const { area_id } = await permitTarget(scope, target);
      return guardrailsOfLights(scope, target, area_id);
    },

    /** Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<PermitMade> => {
      permit(user, "permit.save");
      return once(scope, { call: "permit", input, again: withWarnings }, async (remember) => {
        const { from = scope.now().toISOString(), ...asked } = parse(permitInput, input);
        const values = { ...asked, from };
        await permitTarget(scope, values.target);
        const { APP_TIMEZONE: zone } = await settingsService(scope).find();
        refuseProblem(permitProblem(values, { role: user.role, now: scope.now(), zone }));
        const id = scope.newId();
        await commit(scope, "permit", [
          repository.create(id, values, user.email),
          audited(scope, "create", "permit", id, { after: values }),
          ...remember(id),
        ]);
        return withWarnings(id);
      });
    },

    /** Takes it back, at once if it is in force. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "permit.save");
      return removeOnce(scope, `permit ${id}`, async (remembered) => {
        const before = found(await repository.find(id, visibleDepts(user)), "Permit");
        await permitTarget(scope, before.target);
        await commit(scope, "permit", [
          audited(scope, "delete", "permit", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },
  };
}
