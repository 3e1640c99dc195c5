import { FormShell } from "#app/forms/form-shell";
import { useOrganization } from "#app/components/organization";
import { useDialog } from "#app/router/view";
import { ORG_MEMBERSHIP_ROLES, type OrgMembershipRole } from "#domain/enums";
import { Field, Select } from "#app/ui/field";
import { SwitchField } from "#app/ui/switch-field";
import type { Person } from "./staff";
import { ORG_ROLE_LABELS } from "./words";

export function PersonDialog({ person }: { person: Person }) {
  const { close } = useDialog();
  return (
    <FormShell
      title="Edit Person"
      description={person.email}
      intent="change"
      record={person}
      go="Save changes"
      onClose={close}
    >
      {(errors) => (
        <>
          <RoleField
            value={orgRoleOf(person)}
            error={errors.role}
            hint="Who is no admin any more loses what is open and theirs in departments that they are not in"
          />
          <SwitchField
            name="active"
            label="Active"
            hint="Switched off, they are signed out at once and cannot come back to this organization; open work orders and alarms assigned to them will be nobody's"
            defaultChecked={person.active}
          />
        </>
      )}
    </FormShell>
  );
}

export function RoleField({ value, error, hint }: { value: OrgMembershipRole; error?: string; hint?: string }) {
  const { user } = useOrganization();
  // Only an organization admin may appoint another one.
  const roles = ORG_MEMBERSHIP_ROLES.filter((role) => role !== "org_admin" || user.org_role === "org_admin");
  return (
    <Field label="Role" error={error} hint={hint}>
      <Select name="role" defaultValue={value}>
        {roles.map((name) => (
          <option key={name} value={name}>
            {ORG_ROLE_LABELS[name]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** Distinguishes organization admins, who are shown as admins elsewhere. */
export function orgRoleOf({ role, org_role }: Person): OrgMembershipRole {
  return org_role === "org_admin" ? org_role : role;
}
