import { useEffect, useRef } from "react";

/** The ref of a form that focuses its first invalid field after a refusal. */
export function useFocusFirstError(refusal: object | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (refusal) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusal]);
  return form;
}
