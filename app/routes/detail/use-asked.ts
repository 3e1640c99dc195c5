import { useEffect } from "react";
import { toast } from "sonner";
import { useJson } from "#app/router/use-json";
import { useDialog } from "#app/router/view";

/**
 * The record of the open dialog as it is now, which `path` answers; undefined until it has come, and without a path. One that
 * cannot be had, or is gone (false), is told, and the dialog closes: else a press would be answered by nothing.
 */
export function useAsked<Row extends object>(path: string | null, failed: string): Row | undefined {
  const { close } = useDialog();
  const record = useJson<Row | false>(path);
  const hasFailed = record === null || record === false;

  useEffect(() => {
    if (!hasFailed) return;
    toast.error(failed, { id: failed });
    close();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `close` is another one at each rendering
  }, [hasFailed]);

  return record || undefined;
}
