import { ConfirmDialog, DELETE_WORDS } from "#app/forms/confirm-dialog";
import { FormDialog } from "#app/forms/form-dialog";
import { useRecord } from "#app/router/use-record";
import { useDialog } from "#app/router/view";
import { MAX_NAME } from "#domain/limits";
import type { Department } from "#domain/records";
import { Field, TextInput } from "#app/ui/field";

export function DepartmentDialogs({ departments }: { departments: Department[] }) {
  const { dialog, record: department, close } = useRecord(departments);
  if (!department) return null;
  if (dialog === "edit") return <DepartmentDialog key={department.id} department={department} />;
  if (dialog !== "delete") return null;
  const text = `Are you sure you want to delete "${department.name}"? Its devices and workorders become organization-wide.`;
  return (
    <ConfirmDialog
      title="Delete Department"
      text={text}
      intent="remove"
      record={department}
      words={DELETE_WORDS}
      onClose={close}
    />
  );
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
