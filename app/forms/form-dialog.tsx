import type { ReactNode } from "react";
import { FormShell } from "#app/forms/form-shell";
import type { FormFields } from "#app/forms/form-fields";
import { FieldScope } from "#app/ui/field";
import { classes } from "#app/ui/classes";
import { capitalized } from "#domain/capitalized";

export type Noun = keyof FormFields;

type Props<N extends Noun> = {
  noun: N;
  /** The record to edit; null creates a new one. */
  record: { id: string; version: number } | null;
  description: string;
  onClose: () => void;
  /** A control for each field of the noun's schema, in the order of the form. The form names them. */
  fields: Record<FormFields[N], ReactNode>;
  /** Fields that share a line on a wide screen. */
  half?: FormFields[N][];
  /** Content beside the fields on a wide screen, else below them. */
  aside?: ReactNode;
  /** Content below the fields. */
  children?: ReactNode;
};

/**
 * The dialog of every create/edit form. The title and button follow from the noun and whether there is a record; the
 * required fields and their names follow from the noun's schema.
 */
export function FormDialog<N extends Noun>({ noun, record, fields, half = [], children, ...rest }: Props<N>) {
  const controls = Object.entries<ReactNode>(fields);
  const isHalf = (name: string) => half.some((other) => other === name);
  const words = wordsOf(noun, record !== null);
  return (
    <FormShell {...words} record={record} names={controls.map(([name]) => name)} {...rest}>
      {(errors) => (
        <div className="grid gap-4 sm:grid-cols-2">
          {controls.map(([name, control]) => (
            <div
              key={name}
              className={classes("min-w-0 empty:hidden has-[>[type=hidden]]:hidden", !isHalf(name) && "sm:col-span-2")}
            >
              <FieldScope name={name} error={errors[name]}>
                {control}
              </FieldScope>
            </div>
          ))}
          {children && <div className="sm:col-span-2">{children}</div>}
        </div>
      )}
    </FormShell>
  );
}

function wordsOf(noun: Noun, isEdit: boolean) {
  const name = capitalized(noun);
  if (isEdit) return { title: `Edit ${name}`, intent: "save", go: "Save changes" };
  const create = `Create ${name}`;
  return { title: TITLES[noun] ?? create, intent: "create", go: create };
}

/** The one create dialog whose title differs from its button. */
const TITLES: Partial<Record<Noun, string>> = { workorder: "Create New Workorder" };
