import { closures } from "#db/closures";
import { closureChange, closureInput, closureProblem, reopened } from "#domain/guardrails/closure-schema";
import { Refusal } from "#domain/errors";
import type { Closure } from "#domain/guardrails/limit-records";
import { limitQuery } from "#domain/guardrails/limit-query";
import type { Target } from "#domain/schedule/target";
import type { MayWrite } from "#domain/records/records";
import { visibleDepts } from "#domain/records/visibility";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { readAnew } from "#worker/services/read-anew";
import { found, refuseProblem } from "#worker/services/refuse";
import { withMayWrite } from "#worker/services/rights";
import { permit, type Scope, type Statement } from "#worker/services/scope";
import { permitTarget, type PermittedPlace } from "#worker/services/targets";

/** Times in which a place stays dark: a wet field, a building site. */
export function closureService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = closures(db, org_id);
  const find = async (id: string): Promise<Closure> => found(await repository.find(id, visibleDepts(user)), "Closure");
  const saved = async (id: string): Promise<Closure> => found(await repository.find(id, null), "Closure");

  async function change(
    id: string,
    input: unknown,
    remember: (id: string) => Statement[],
    if_match?: number,
  ): Promise<Closure> {
    const before = await find(id);
    const { type, id: of } = before.target;
    await permitTarget(scope, before.target);
    const now = scope.now();
    if (before.to !== null && Date.parse(before.to) <= now.getTime()) {
      throw new Refusal("conflict", "This closure is already over and can't be edited");
    }
    const sent = parse(closureChange, input);
    const place = sent.target && (await permitTarget(scope, sent.target));
    const asked = {
      target: sent.target ?? { type, id: of },
      from: sent.from === undefined ? before.from : (sent.from ?? now.toISOString()),
      to: sent.to === undefined ? before.to : sent.to,
      reason: sent.reason ?? before.reason,
    };
    const values = { ...asked, to: reopened(asked, now) };
    refuseProblem(closureProblem(values, now));
    await commit(scope, "closure", [
      repository.save(id, values, if_match ?? before.version),
      audited(scope, "update", "closure", id, {
        before,
        after: { ...before, ...values, target: before.target, ...placed(asked.target, place) },
      }),
      ...remember(id),
    ]);
    return saved(id);
  }

  /** What is in force or to come, or what is over. Refuses with `forbidden` and `invalid`. */
  async function list(query: unknown = {}): Promise<Closure[]> {
    permit(user, "closure.see");
    const { past, area_id } = parse(limitQuery, query);
    const show = past === "true" ? repository.over : repository.coming;
    return show(scope.now().toISOString(), visibleDepts(user), area_id);
  }

  return {
    list,

    /** The same as on their screen. */
    listed: async (query: unknown): Promise<(Closure & MayWrite)[]> =>
      withMayWrite(scope, "closure.save", await list(query), ({ target }) => target),

    /** Lights that are on go off at once. Refuses with `forbidden` and `invalid`. */
    create: async (input: unknown): Promise<Closure> => {
      permit(user, "closure.save");
      return once(scope, { call: "closure", input, again: saved }, async (remember) => {
        const { from = scope.now().toISOString(), to = null, ...asked } = parse(closureInput, input);
        const values = { ...asked, from, to };
        await permitTarget(scope, values.target);
        refuseProblem(closureProblem(values, scope.now()));
        const id = scope.newId();
        await commit(scope, "closure", [
          repository.create(id, values, user.email),
          audited(scope, "create", "closure", id, { after: values }),
          ...remember(id),
        ]);
        return saved(id);
      });
    },

    /** Replaces the fields in the input; a `from` of null is now. Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Closure> => {
      permit(user, "closure.save");
      return once(scope, { call: `save of closure ${id}`, input, again: saved }, (remember) =>
        readAnew("closure", if_match, () => change(id, input, remember, if_match)),
      );
    },

    /**
     * Ends one that is in force, now; what is booked goes on at once. Refuses with `forbidden`, `not_found`, `invalid` and
     * `conflict`.
     */
    reopen: async (id: string): Promise<Closure> => {
      permit(user, "closure.save");
      return once(scope, { call: `reopening of closure ${id}`, input: null, again: saved }, (remember) =>
        readAnew("closure", undefined, () => change(id, { to: scope.now().toISOString() }, remember)),
      );
    },

    /** Reopens the place; what still runs goes on again. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "closure.save");
      return removeOnce(scope, `closure ${id}`, async (remembered) => {
        const before = await find(id);
        await permitTarget(scope, before.target);
        await commit(scope, "closure", [
          audited(scope, "delete", "closure", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
      });
    },
  };
}

/** Where a closure was moved to, as the log of changes names it. */
function placed(target: Target, place: PermittedPlace | undefined) {
  return place && { target: { ...target, name: place.name, devices: place.devices }, area_id: place.area_id };
}
