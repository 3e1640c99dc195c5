import type { ReactNode } from "react";
import { FormShell } from "#app/forms/form-shell";
import type { FieldErrors } from "#domain/errors";

export type Noun = "area" | "hub" | "device" | "schedule" | "workorder" | "department";

type Props = {
  noun: Noun;
  /** The record to edit; null creates a new one. */
  record: { id: string; version: number } | null;
  description: string;
  onClose: () => void;
  children: (errors: FieldErrors) => ReactNode;
};

/** The dialog of every create/edit form. Title and button follow from the noun and from whether there is a record. */
export function FormDialog({ noun, record, ...rest }: Props) {
  const name = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  if (record) return <FormShell title={`Edit ${name}`} intent="save" record={record} go="Save changes" {...rest} />;
  const create = `Create ${name}`;
  return <FormShell title={TITLES[noun] ?? create} intent="create" record={null} go={create} {...rest} />;
}

/** The one create dialog whose title differs from its button. */
const TITLES: Partial<Record<Noun, string>> = { workorder: "Create New Workorder" };
