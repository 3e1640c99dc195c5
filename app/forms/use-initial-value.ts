import { useActionData } from "@remix-run/react";
import type { FormAnswer } from "#app/forms/form-answer";

/** What a field that follows others begins with: what is stored, or what was typed before the page came back. */
export function useInitialValue() {
  const typed = useActionData<FormAnswer>()?.typed;
  return (name: string, stored: string | null | undefined) => typed?.[name] ?? stored ?? "";
}
