import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { useRecord } from "#app/router/use-record";
import { useDialog } from "#app/router/view";
import type { Agent } from "#domain/records/records";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded on demand, to keep the forms out of the first load. */
const AgentDialog = dialogOnDemand(() => import("./agent-dialog"));
const NewSecretDialog = dialogOnDemand(() => import("./new-secret-dialog"));

/** The open dialog of the screen. */
export function AgentDialogs({ agents }: { agents: Agent[] }) {
  const { dialog: opened } = useDialog();
  const { dialog, record: agent, close } = useRecord(agents);
  if (opened === "new") {
    return <AgentDialog agent={null} onClose={close} />;
  }
  if (!agent) return null;
  if (dialog === "remove") {
    return (
      <ConfirmDialog
        title={`Revoke ${agent.name}`}
        text="It is disconnected at once and cannot come back without a new secret. Its hubs stay assigned to it: until then only the cloud reaches them. What it has been told to do tonight it may still do."
        intent="revoke"
        record={{ id: agent.id }}
        words={{ keep: "Cancel", go: "Revoke", going: "Revoking..." }}
        onClose={close}
      />
    );
  }
  if (dialog === "delete") {
    return (
      <ConfirmDialog
        title="Delete Agent"
        text={deleteText(agent)}
        intent="remove"
        record={{ id: agent.id }}
        words={DELETE_WORDS}
        onClose={close}
      />
    );
  }
  if (dialog === "edit") return <AgentDialog key={agent.id} agent={agent} onClose={close} />;
  return dialog === "reset" ? <NewSecretDialog key={agent.id} agent={agent} onClose={close} /> : null;
}

/** 'Are you sure ... Its 2 hubs stay, without an agent.' */
function deleteText({ name, hubs }: Agent): string {
  const asked = `Are you sure you want to delete the agent "${name}"?`;
  if (hubs.length === 0) return asked;
  return `${asked} ${hubs.length === 1 ? "Its hub stays" : `Its ${hubs.length} hubs stay`}, without an agent.`;
}
