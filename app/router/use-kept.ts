import { useState } from "react";
import { useDialog } from "#app/router/view";

/**
 * What a screen shows of the record `id`, and what it showed last if the record is gone, as long as one of `dialogs` (by
 * default any) is open over it: somebody else's deletion would take away the form in which somebody is typing.
 */
export function useKept<Shown>(
  shown: Shown,
  { id, isGone, dialogs }: { id: string | null; isGone: boolean; dialogs?: string[] },
): Shown {
  const { dialog } = useDialog();
  const [kept, keep] = useState({ id, shown });
  if (!isGone && kept.shown !== shown) keep({ id, shown });
  const isOpen = dialog !== null && (dialogs?.includes(dialog) ?? true);
  return isGone && isOpen && kept.id === id ? kept.shown : shown;
}
