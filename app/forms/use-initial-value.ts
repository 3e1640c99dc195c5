import { useActionData } from "@remix-run/react";
import type { FormAnswer } from "#app/forms/form-answer";

/** The first value of a controlled field: what was typed before the page was rendered again, else what is stored. */
export function useInitialValue() {
  const typed = useActionData<FormAnswer>()?.typed;
  return (name: string, stored: string | null | undefined) => typed?.[name] ?? stored ?? "";
}
