import { useState } from "react";
import { useDialog } from "#app/router/view";

/**
 * The open dialog and the record it is about. One that has left the list stays until the dialog closes: a deletion has
 * still to be told, and what was typed about a record that somebody else deleted is not thrown away.
 */
export function useRecord<Row extends { id: string }>(rows: Row[]) {
  const { dialog, id, close } = useDialog();
  const listed = rows.find((row) => row.id === id);
  const [kept, keep] = useState(listed);
  if (listed && listed !== kept) keep(listed);
  const record = listed ?? (kept?.id === id ? kept : undefined);
  return { dialog: record ? dialog : null, record, close };
}
