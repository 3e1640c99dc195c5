import { z } from "zod";
import { MAX_NAME } from "./limits";
import { isPlainLine, isPlainText, isVisible } from "./plain-text";

/**
 * One line of text with a visible character; `required` is the message if it has none. Refuses characters that cannot be
 * stored or shown, for every field of the product.
 */
export function requiredText(noun: string, max: number, required: string) {
  return z
    .string(required)
    .trim()
    .min(1, required)
    .max(max, tooLong(noun, max))
    .refine(isPlainLine, unprintable(noun))
    .refine(isVisible, required);
}

/** One line of optional text. Empty text is stored as null; an absent key leaves the record as it is. */
export function optionalLine(noun: string, max: number) {
  return optional(noun, max, isPlainLine);
}

/** The same for a text of several lines. */
export function optionalText(noun: string, max: number) {
  return optional(noun, max, isPlainText);
}

function optional(noun: string, max: number, isPlain: (text: string) => boolean) {
  return (
    z
      .string(`${noun} must be text`)
      .trim()
      // A page without script sends two characters for a line break, of which its field has counted one.
      .overwrite((text) => text.replace(/\r\n?/g, "\n"))
      .max(max, tooLong(noun, max))
      .refine(isPlain, unprintable(noun))
      .transform((text) => (isVisible(text) ? text : null))
      .nullable()
      .optional()
  );
}

/** The id of a record that must be chosen. */
export function requiredId(required: string) {
  return z.string(required).trim().min(1, required).max(MAX_NAME, required).refine(isPlainLine, required);
}

/** The id of an optional record; empty and null both mean none. */
export function optionalId(noun: string) {
  return optionalLine(noun, MAX_NAME);
}

/** One of the words; the refusal names them all. */
export function oneOf<const Words extends readonly [string, ...string[]]>(noun: string, words: Words) {
  return z.enum(words, `${noun} must be one of: ${words.join(", ")}`);
}

/** A whole number within the bounds, both included. */
export function wholeNumber(noun: string, { min, max }: { min: number; max: number }) {
  const message = `${noun} must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

/** The same from JSON or a form, whose empty text means the least. */
export function wholeNumberOrText(noun: string, { min, max }: { min: number; max: number }) {
  return z.preprocess((value) => numberFromText(value, min), wholeNumber(noun, { min, max }));
}

function numberFromText(value: unknown, empty: number): unknown {
  if (typeof value !== "string") return value;
  return value.trim() === "" ? empty : Number(value);
}

/** A boolean, from JSON or a form's switch. */
export function flag(noun: string) {
  return z.union(
    [z.boolean(), z.enum(["on", "true"]).transform(() => true), z.enum(["off", "false"]).transform(() => false)],
    `${noun} must be true or false`,
  );
}

/**
 * An ISO 8601 instant with an offset, stored in UTC with milliseconds. A year of five digits is refused: as text it would
 * sort before all others.
 */
export function instant(message: string) {
  return z
    .union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })], {
      error: noInstant(message),
    })
    .transform((text, context) => {
      const stored = new Date(text).toISOString();
      if (!/^\d{4}-/.test(stored)) context.addIssue(message);
      return stored;
    });
}

const WITHOUT_OFFSET = z.union([z.iso.datetime({ local: true }), z.iso.datetime({ local: true, precision: -1 })]);

/** The message for what is no instant. A time without its offset looks like one, and is told what it lacks. */
export function noInstant(message: string) {
  return ({ input }: { input?: unknown }) =>
    WITHOUT_OFFSET.safeParse(input).success ? `${message}. Its offset is missing: Z, or one like -07:00` : message;
}

/** The message for text that cannot be stored or shown. */
export function unprintable(noun: string): string {
  return `${noun} may not contain control characters, text-direction overrides or broken characters`;
}

function tooLong(noun: string, max: number): string {
  return `${noun} may have at most ${max} characters`;
}

/** A latitude or a longitude, also as a form sends it; an empty one is undefined. */
export function degrees(noun: string, max: number) {
  const message = `${noun} must be a number from -${max} to ${max}`;
  return z.preprocess(numberFromForm, z.number(message).min(-max, message).max(max, message).optional());
}

function numberFromForm(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== "string") return value;
  return value.trim() === "" ? undefined : Number(value);
}
