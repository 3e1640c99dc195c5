import { hasEarlyChoice } from "#app/ui/early-choice";

/** Whether something else stands in it than the server's HTML has, since a person was there before the script. */
export function isTypedEarly(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => {
    if (field instanceof HTMLInputElement && ["checkbox", "radio"].includes(field.type))
      return field.checked !== field.defaultChecked;
    if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)
      return field.value !== field.defaultValue;
    return hasEarlyChoice(field);
  });
}
