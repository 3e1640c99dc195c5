import { useEffect, useRef } from "react";

/**
 * The ref of a form that focuses its first invalid field after a refusal, unless the person has gone on to another field
 * meanwhile: what they type would land in the wrong one.
 */
export function useFocusFirstError(refusal: object | null) {
  const form = useRef<HTMLFormElement>(null);
  const submittedFrom = useRef<Element | null>(null);

  useEffect(() => {
    // A dialog's form comes later than this, when its code is there.
    const onSubmit = ({ target }: Event) => {
      if (target === form.current) submittedFrom.current = document.activeElement;
    };
    document.addEventListener("submit", onSubmit, { capture: true });
    return () => document.removeEventListener("submit", onSubmit, { capture: true });
  }, []);

  useEffect(() => {
    const active = document.activeElement;
    const wentOn = active !== submittedFrom.current && active?.matches("input, select, textarea");
    if (refusal && !wentOn) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [refusal]);

  return form;
}
