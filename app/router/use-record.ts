import { useState } from "react";
import { useDialog } from "#app/router/view";

/**
 * The open dialog and its record. A record that leaves the list is kept until the dialog closes, so that a deletion can
 * show its toast and input for a record that somebody else deleted is not lost.
 */
export function useRecord<Row extends { id: string }>(rows: Row[]) {
  const { dialog, id, close } = useDialog();
  const listed = rows.find((row) => row.id === id);
  const [kept, keep] = useState(listed);
  if (listed && listed !== kept) keep(listed);
  const record = listed ?? (kept?.id === id ? kept : undefined);
  return { dialog: record ? dialog : null, record, close };
}
