import { useOrganization } from "#app/components/organization";
import { AccountForm } from "#app/session/account-form";
import { ChoiceBoxes } from "./choice-boxes";

const KEYS = [{ value: "/", label: "Open the search with the key /" }];

/** A key without Ctrl may be pressed by a slip, or by software that turns speech into keys (WCAG 2.1.4). */
export function OwnShortcuts() {
  const { user, search_key } = useOrganization();
  return (
    <AccountForm intent="save_shortcuts" org_id={user.current_org_id} go="Save shortcuts" variant="secondary">
      {() => (
        <ChoiceBoxes
          name="key"
          legend="Search"
          hint="Ctrl+K always opens it."
          choices={KEYS}
          chosen={search_key ? ["/"] : []}
        />
      )}
    </AccountForm>
  );
}
