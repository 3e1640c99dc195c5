import { agents } from "#db/agents";
import { agentInput } from "#domain/hubs/agent-schema";
import { Refusal } from "#domain/errors";
import type { Choice } from "#domain/lists/list-query";
import { can } from "#domain/organization/permissions";
import type { Agent, AgentWithSecret } from "#domain/records/records";
import { newAgentSecret } from "#worker/auth/agent-secret";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once, removeOnce } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { found } from "#worker/services/refuse";
import { permit, type Scope } from "#worker/services/scope";

/** The on-site agents: computers on the hubs' networks that speak to the hubs for us. Their secrets are shown once. */
export function agentService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = agents(db, org_id);
  const find = async (id: string): Promise<Agent> => found(await repository.find(id), "Agent");

  return {
    list: (): Promise<Agent[]> => {
      permit(user, "agent.see");
      return repository.list();
    },

    /** Their names, for the hub form's select; none for who may not see them. */
    choices: async (): Promise<Choice[]> => {
      permit(user, "hub.see");
      return can(user, "agent.see") ? repository.choices() : [];
    },

    /** The secret is in this answer only. Refuses with `forbidden`, `invalid` and `conflict`. */
    create: async (input: unknown): Promise<AgentWithSecret> => {
      permit(user, "agent.edit");
      return once(scope, { call: "agent", input, again: madeBefore }, async (remember) => {
        const values = parse(agentInput, input);
        const id = scope.newId();
        const { secret, kept } = newSecret(id);
        await commit(scope, "agent", [
          repository.create(id, values, kept),
          audited(scope, "create", "agent", id, { after: { ...values, hint: kept.hint } }),
          ...remember(id),
        ]);
        return { ...(await find(id)), secret };
      });
    },

    /** Renames it. Refuses with `forbidden`, `not_found`, `invalid` and `conflict`. */
    save: async (id: string, input: unknown, if_match?: number): Promise<Agent> => {
      permit(user, "agent.edit");
      return once(scope, { call: `save of agent ${id}`, input, again: find }, async (remember) => {
        const before = await find(id);
        const values = parse(agentInput, input);
        await commit(scope, "agent", [
          repository.save(id, values, if_match),
          audited(scope, "update", "agent", id, { before: told(before), after: { ...told(before), ...values } }),
          ...remember(id),
        ]);
        return find(id);
      });
    },

    /**
     * Makes a new secret, which is in this answer only; with the old one nobody connects any more, and who is connected is
     * cut off. A revoked agent may connect again. Refuses with `forbidden` and `not_found`.
     */
    rotate: async (id: string): Promise<AgentWithSecret> => {
      permit(user, "agent.edit");
      const before = await find(id);
      const { secret, kept } = newSecret(id);
      const { hint, issued_at } = kept;
      await commit(scope, "agent", [
        repository.renew(id, kept),
        audited(scope, "rotate", "agent", id, {
          before: told(before),
          after: { ...told(before), hint, issued_at, revoked_at: null },
        }),
      ]);
      cutOff(id);
      return { ...(await find(id)), secret };
    },

    /** Nobody connects as this agent until it has a new secret; once revoked it stays so. Refuses with `forbidden` and `not_found`. */
    revoke: async (id: string): Promise<Agent> => {
      permit(user, "agent.edit");
      const before = await find(id);
      const revoked_at = scope.now().toISOString();
      if (before.revoked_at === null)
        await commit(scope, "agent", [
          repository.revoke(id, revoked_at),
          audited(scope, "revoke", "agent", id, { before: told(before), after: { ...told(before), revoked_at } }),
        ]);
      cutOff(id);
      return find(id);
    },

    /** Its hubs stay, without an agent. Refuses with `forbidden` and `not_found`. */
    remove: async (id: string): Promise<void> => {
      permit(user, "agent.edit");
      return removeOnce(scope, `agent ${id}`, async (remembered) => {
        const before = await find(id);
        await commit(scope, "agent", [
          audited(scope, "delete", "agent", id, { before }),
          repository.remove(id),
          ...remembered,
        ]);
        cutOff(id);
      });
    },
  };

  /** Faster than the hint that the plan has changed, which closes the same sockets. */
  function cutOff(id: string): void {
    scope.scheduler.dropAgent(org_id, id);
  }

  function newSecret(id: string) {
    const { secret, ...kept } = newAgentSecret(id);
    return { secret, kept: { ...kept, issued_at: scope.now().toISOString() } };
  }

  /** The secret was in the lost first answer, so a new one is needed. */
  async function madeBefore(): Promise<AgentWithSecret> {
    throw new Refusal("conflict", "This agent was created already. Make a new secret for it if its own was lost");
  }
}

/** What an audit entry tells of it; its presence changes by itself. */
function told({ id, version, updated_at, name, hint, issued_at, revoked_at }: Agent) {
  return { id, version, updated_at, name, hint, issued_at, revoked_at };
}
