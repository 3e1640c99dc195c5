import { useState } from "react";
import { useOrganization } from "#app/components/organization";
import { ChoiceSelect } from "#app/forms/choice-select";
import { ConfirmDialog } from "#app/forms/confirm-dialog";
import { FormShell } from "#app/forms/form-shell";
import { useRecord } from "#app/router/use-record";
import { useDialog } from "#app/router/view";
import { mayTakeOut } from "#domain/organization/permissions";
import type { Department } from "#domain/records/records";
import { DEPT_ROLES } from "#domain/enums";
import { Field, Select } from "#app/ui/field";
import type { Staff } from "./staff";
import { DEPT_ROLE_LABELS } from "./words";

const REMOVE_WORDS = { keep: "Cancel", go: "Remove", going: "Removing..." };

export function MemberDialogs({ department, members, candidates, admins }: Staff & { department: Department }) {
  const { dialog } = useDialog();
  const { user } = useOrganization();
  const { record: member, close } = useRecord(members);
  if (dialog === "add") return <AddMember department={department} candidates={candidates} />;
  if (dialog !== "remove" || !member || !mayTakeOut(user, member, admins)) return null;
  return (
    <ConfirmDialog
      title={`Remove ${member.email} from ${department.name}`}
      text={
        <>
          <span>Remove this member from the department?</span> Its open work orders and alarms that are assigned to them
          will be nobody&apos;s, unless they are an admin.
        </>
      }
      intent="leave"
      record={{ id: member.user_id }}
      words={REMOVE_WORDS}
      onClose={close}
    />
  );
}

function AddMember({ department, candidates }: { department: Department; candidates: Staff["candidates"] }) {
  const { close } = useDialog();
  const [user_id, setUser] = useState("");
  // The first: who has been chosen would go once they are in it, be it by this form itself, whose answer was lost.
  const [offered] = useState(candidates);
  return (
    <FormShell
      title="Add Member"
      description={`To ${department.name}`}
      intent="add"
      record={{ id: department.id }}
      go="Add Member"
      onClose={close}
      isBrief
    >
      {(errors) => (
        <>
          <ChoiceSelect
            label="User"
            name="user_id"
            value={user_id}
            onChange={setUser}
            none={offered.length === 0 ? "Everyone is in it already" : "Select a user"}
            choices={offered}
            error={errors.user_id}
          />
          <Field label="Role" error={errors.role} hint="An auditor sees the department and changes nothing in it">
            <Select name="role" defaultValue="dept_staff">
              {DEPT_ROLES.map((role) => (
                <option key={role} value={role}>
                  {DEPT_ROLE_LABELS[role]}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
    </FormShell>
  );
}
