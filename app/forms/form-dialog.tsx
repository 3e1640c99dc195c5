import type { ReactNode } from "react";
import { FormShell } from "#app/forms/form-shell";
import type { FieldErrors } from "#domain/errors";

export type Noun = "area" | "hub" | "device" | "schedule" | "workorder" | "department";

type Props = {
  noun: Noun;
  /** The record that is edited; none for a new one. */
  record: { id: string; version: number } | null;
  description: string;
  onClose: () => void;
  children: (errors: FieldErrors) => ReactNode;
};

/** The shell of every create/edit form: what it is called follows from the noun and whether there is a record. */
export function FormDialog({ noun, record, ...rest }: Props) {
  const name = `${noun[0]?.toUpperCase()}${noun.slice(1)}`;
  if (record) return <FormShell title={`Edit ${name}`} intent="save" record={record} go="Save changes" {...rest} />;
  const create = `Create ${name}`;
  return <FormShell title={TITLES[noun] ?? create} intent="create" record={null} go={create} {...rest} />;
}

/** Spec 2, Workorders: this one is titled otherwise. */
const TITLES: Partial<Record<Noun, string>> = { workorder: "Create New Workorder" };
