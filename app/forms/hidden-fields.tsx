import { useOrganization } from "#app/components/organization";

type Props = { intent: string; id?: string; version?: number };

/**
 * What every form submits besides its fields: the intent, the record, and the organization it was rendered for, so that
 * a form from a stale tab is refused.
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
