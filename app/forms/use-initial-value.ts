import { useActionData, useSearchParams } from "@remix-run/react";
import type { FormAnswer } from "#app/forms/form-answer";
import { PREFILLED } from "#app/router/view";

/**
 * The initial value of a controlled field: the submitted text of a no-script form, else the stored value, else, for a new
 * record, the value from the link.
 */
export function useInitialValue() {
  const typed = useActionData<FormAnswer>()?.typed;
  const [search] = useSearchParams();
  const linked = (name: string) => (PREFILLED.some((known) => known === name) ? search.get(name) : null);
  return (name: string, stored: string | null | undefined) =>
    typed?.[name] ?? (stored === undefined ? linked(name) : stored) ?? "";
}
