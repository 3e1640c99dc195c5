import { FormShell } from "#app/forms/form-shell";
import { useMade } from "#app/forms/use-made";
import type { Webhook } from "#domain/messages/webhook-records";
import { Secret } from "./secret";

/** For a secret that was lost, or that somebody may have seen. The default export is for onDemand(). */
export default function NewSecretDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [made, setMade] = useMade();
  if (made) {
    return <Secret title="New secret" description={webhook.name} secret={made.shown_once ?? ""} onClose={onClose} />;
  }
  return (
    <FormShell
      title="New Secret"
      description={webhook.name}
      intent="rotate"
      record={webhook}
      go="Make a new secret"
      going="Making it..."
      onClose={onClose}
      onDone={setMade}
    >
      {() => <p>For a day each message is signed with both secrets, so that the other system may change over.</p>}
    </FormShell>
  );
}
