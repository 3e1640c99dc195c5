import { useOrganization } from "#app/components/organization";
import { DeleteDialog } from "#app/forms/delete-dialog";
import { FormDialog } from "#app/forms/form-dialog";
import { useRecord } from "#app/router/use-record";
import { useDialog } from "#app/router/view";
import { mayWriteInDept } from "#domain/organization/permissions";
import { MAX_NAME } from "#domain/fields/limits";
import type { Department } from "#domain/records/records";
import { Field, TextInput } from "#app/ui/field";

export function DepartmentDialogs({ departments }: { departments: Department[] }) {
  const { dialog, record: department, close } = useRecord(departments);
  const { user } = useOrganization();
  if (!department) return null;
  if (dialog === "edit") return <DepartmentDialog key={department.id} department={department} />;
  return dialog === "delete" && mayWriteInDept(user, department.id) ? (
    <DeleteDialog owner="department" record={department} onClose={close} />
  ) : null;
}

export function DepartmentDialog({ department }: { department: Department | null }) {
  const { close } = useDialog();
  return (
    <FormDialog
      noun="department"
      record={department}
      description="A part of the organization with devices and workorders of its own"
      onClose={close}
      fields={{
        name: (
          <Field label="Name">
            <TextInput defaultValue={department?.name} maxLength={MAX_NAME} autoComplete="off" />
          </Field>
        ),
      }}
    />
  );
}
