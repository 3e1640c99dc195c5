import { useEffect, useRef } from "react";

/**
 * The ref of a form that focuses its first invalid field after a refusal, or where no field is wrong shows what it says of
 * the refusal, unless the person has gone on to another field meanwhile: what they type would land in the wrong one.
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
    if (!refusal || wentOn) return;
    const wrong = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (wrong) return wrong.focus();
    // It stands below the fields, out of sight in a long form, and the toast that says the same is gone in a moment.
    form.current?.querySelector("[data-refusal]")?.scrollIntoView({ block: "nearest" });
  }, [refusal]);

  return form;
}
