import { toast } from "sonner";
import { useOrganization } from "#app/components/organization";
import { losesChanges } from "#app/forms/unsaved";
import { isLost } from "#app/router/connection";
import { Button } from "#app/ui/button";
import { useNoScript } from "#app/ui/no-script";
import { tellEarlyChoice } from "#app/ui/early-choice";

/** A select for people in several organizations; otherwise just the name. */
export function OrganizationSwitcher() {
  const { user } = useOrganization();
  const { current_org_id, org_memberships } = user;
  const name = org_memberships.find((membership) => membership.org_id === current_org_id)?.org_name;
  if (org_memberships.length <= 1)
    return <span className="text-ink-soft truncate font-medium max-md:text-xs">{name}</span>;
  const choices = org_memberships.map(({ org_id, org_name }) => ({ id: org_id, name: org_name }));
  return <Switcher label="Organization" action="/switch-org" name="org_id" value={current_org_id} choices={choices} />;
}

export function DepartmentSwitcher() {
  const { user, departments } = useOrganization();
  const value = user.current_dept_id ?? "";
  // Without the list, who has chosen one must not read that they see all.
  const own = value === "" ? [] : [{ id: value, name: "Unknown Dept" }];
  const choices = [{ id: "", name: "All Departments" }, ...(departments ?? own)];
  return <Switcher label="Department" action="/switch-dept" name="dept_id" value={value} choices={choices} />;
}

/** Disabled without a connection, since the reload would lose the page. */
function switchTo(select: HTMLSelectElement) {
  if (!isLost()) {
    const mayStay = losesChanges();
    select.form?.requestSubmit();
    // The browser asks first: whoever stays must not read the name of the other.
    if (mayStay) select.form?.reset();
    return;
  }
  select.form?.reset();
  toast.error("No connection to the server", { id: "offline" });
}

type Props = { label: string; action: string; name: string; value: string; choices: { id: string; name: string }[] };

/** A native form: the answer is a redirect, so the whole page reloads for the new scope. */
function Switcher({ label, action, name, value, choices }: Props) {
  const noScript = useNoScript();
  return (
    <form method="post" action={action} className="flex min-w-0 items-center gap-1">
      <select
        key={value}
        ref={tellEarlyChoice}
        autoComplete="off"
        aria-label={label}
        name={name}
        defaultValue={value}
        onChange={(event) => switchTo(event.currentTarget)}
        className="border-line bg-surface text-ink h-9 w-full max-w-52 min-w-0 truncate rounded-md border px-2 font-medium max-md:-ml-1 max-md:h-6.5 max-md:border-transparent max-md:px-0"
      >
        {choices.map((choice) => (
          <option key={choice.id} value={choice.id}>
            {choice.name}
          </option>
        ))}
      </select>
      {noScript && (
        <Button type="submit" size="sm" className="max-md:h-6.5" aria-label={`Switch ${label.toLowerCase()}`}>
          Go
        </Button>
      )}
    </form>
  );
}
