import { hasEarlyChoice } from "#app/ui/early-choice";

/** A field that is typed into or ticked. */
export type TypedField = HTMLInputElement | HTMLTextAreaElement;

export function isTypedField(field: unknown): field is TypedField {
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
}

/** Whether a field is one that is ticked. */
export function isTicked(field: TypedField): field is HTMLInputElement {
  return ["checkbox", "radio"].includes(field.type);
}

/** Whether something else stands in it than what it was given. */
export function isTyped(field: TypedField): boolean {
  return isTicked(field) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** Whether something else stands in it than the server's HTML has, since a person was there before the script. */
export function isTypedEarly(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => (isTypedField(field) ? isTyped(field) : hasEarlyChoice(field)));
}
