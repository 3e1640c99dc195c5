import { FormShell } from "#app/forms/form-shell";
import { useMade } from "#app/forms/use-made";
import type { Agent } from "#domain/records/records";
import { Secret } from "./secret";

/** For a secret that was lost, or that somebody may have seen. The default export is for onDemand(). */
export default function NewSecretDialog({ agent, onClose }: { agent: Agent; onClose: () => void }) {
  const [made, setMade] = useMade();
  if (made) return <Secret title="New secret" name={agent.name} secret={made.shown_once ?? ""} onClose={onClose} />;
  return (
    <FormShell
      title="New Secret"
      description={agent.name}
      intent="rotate"
      record={agent}
      go="Make a new secret"
      going="Making it..."
      onClose={onClose}
      onDone={setMade}
    >
      {() => <p>{agent.revoked_at === null ? IN_USE : REVOKED}</p>}
    </FormShell>
  );
}

const IN_USE =
  "The present secret stops working and the agent is disconnected at once. It comes back when the new one is on its computer.";
const REVOKED = "The agent may connect again as soon as the new secret is on its computer.";
