import { useActionData } from "@remix-run/react";
import type { Answer } from "#app/forms/answer";

/** What a field that follows others begins with: what is stored, or what was typed before the page came back. */
export function useFirst() {
  const typed = useActionData<Answer>()?.typed;
  return (name: string, stored: string | null | undefined) => typed?.[name] ?? stored ?? "";
}
