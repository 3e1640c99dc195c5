import { useOrganization } from "#app/components/organization";

type Props = { intent: string; id?: string; version?: number };

/** What every form says besides its fields: what it wants, of which record, in which organization (decision 4). */
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
