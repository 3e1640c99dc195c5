import { useState } from "react";
import { useOrganization } from "#app/components/organization";

type Props = { intent: string; id?: string; version?: number };

/**
 * The hidden fields of every form: the intent, the record, and the organization that it was rendered for, so that a form
 * from a stale tab is refused.
 */
export function HiddenFields({ intent, id, version }: Props) {
  const { user } = useOrganization();
  return (
    <>
      <input type="hidden" name="intent" value={intent} />
      <input type="hidden" name="org_id" value={user.current_org_id} />
      {id && <input type="hidden" name="id" value={id} />}
      {version && <input type="hidden" name="version" value={version} />}
    </>
  );
}

/**
 * The idempotency key of a form, so that submitting it again after a lost answer or a reload creates nothing twice, and
 * does not take the change that it has made for somebody else's. Hydration keeps the server's key.
 */
export function IdempotencyKey() {
  const [key] = useState(randomKey);
  return <input type="hidden" name="idempotency_key" value={key} suppressHydrationWarning />;
}

function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
