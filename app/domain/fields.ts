import { z } from "zod";

/** The longest texts that are stored, in characters. */
export const MAX_NAME = 120;
export const MAX_TITLE = 200;
export const MAX_NOTES = 2000;
export const MAX_DESCRIPTION = 5000;

/** Text that must be there after trimming; `required` is the spec's own sentence where it has one. */
export function requiredText(noun: string, max: number, required: string) {
  return z.string(required).trim().min(1, required).max(max, tooLong(noun, max));
}

/** Text that may be missing. Empty text is stored as null; a key that is absent leaves the record as it is. */
export function optionalText(noun: string, max: number) {
  return z
    .string(`${noun} must be text`)
    .trim()
    .max(max, tooLong(noun, max))
    .transform((text) => text || null)
    .nullable()
    .optional();
}

/** The id of a record that must be chosen. */
export function requiredId(required: string) {
  return z.string(required).trim().min(1, required).max(MAX_NAME, required);
}

/** The id of a record that may be left out: empty and null both mean none. */
export function optionalId(noun: string) {
  return optionalText(noun, MAX_NAME);
}

export function oneOf<const Words extends readonly [string, ...string[]]>(noun: string, words: Words) {
  return z.enum(words, `${noun} must be one of: ${words.join(", ")}`);
}

export function wholeNumber(noun: string, min: number, max: number) {
  const message = `${noun} must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

/** A yes or no, as JSON or as a form's switch sends it. */
export function flag(noun: string) {
  return z.union(
    [z.boolean(), z.enum(["on", "true"]).transform(() => true), z.enum(["off", "false"]).transform(() => false)],
    `${noun} must be true or false`,
  );
}

/** An ISO 8601 instant with its offset, kept as every instant is: UTC with milliseconds. */
export function instant(message: string) {
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], message)
    .transform((text) => new Date(text).toISOString());
}

function tooLong(noun: string, max: number): string {
  return `${noun} may have at most ${max} characters`;
}
