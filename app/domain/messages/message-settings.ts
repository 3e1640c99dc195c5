import { z } from "zod";
import { EMAIL_SERVICES } from "#domain/enums";
import { oneOf, unprintable, wholeNumber } from "#domain/fields/fields";
import { MAX_NOTES } from "#domain/fields/limits";
import { isPhone } from "#domain/fields/phone";
import { isPlainLine } from "#domain/fields/plain-text";
import { isMask } from "#domain/organization/settings-schema";
import { LOOPBACK_HOSTS } from "#domain/fields/loopback";
import { INVALID_EMAIL } from "#domain/organization/login-schema";

const MAP_REQUIRED = "Message settings must be a map of keys and values";
const MAX_KEY = 500;
/** All that is shown of a key. */
export const KEY_MASK = "••••••••";

/** How messages reach people beside SMS. */
export const messageSettings = z
  .object({
    EMAIL_PROVIDER: z.enum(EMAIL_SERVICES),
    EMAIL_API_KEY: z.string().describe("A mask, never the key; posting it back keeps the key"),
    EMAIL_FROM: z.string().describe("The sender, an address that the e-mail service has confirmed"),
    NOTIFY_EMAIL_TO: z.string().describe("E-mail addresses, separated by commas"),
    ESCALATE_AFTER_MIN: z.int().describe("Minutes until an urgent alarm that nobody acknowledges goes on; 0 for never"),
    ESCALATE_TO: z.string().describe("Phone numbers and e-mail addresses in their order, separated by commas"),
    EMAIL_API_BASE: z.string().describe("Empty but in the demo, where it may be a loopback address"),
  })
  .meta({ id: "MessageSettings" });
export type MessageSettings = z.infer<typeof messageSettings>;

export const MESSAGE_DEFAULTS: MessageSettings = {
  EMAIL_PROVIDER: "off",
  EMAIL_API_KEY: "",
  EMAIL_FROM: "",
  NOTIFY_EMAIL_TO: "",
  ESCALATE_AFTER_MIN: 0,
  ESCALATE_TO: "",
  EMAIL_API_BASE: "",
};

/** The input of the message settings. Absent keys stay as they are; the key's mask keeps the key, '' removes it. */
export function messageSettingsInput(allow: { loopback: boolean }) {
  return z.object(
    {
      EMAIL_PROVIDER: oneOf("E-mail service", EMAIL_SERVICES).optional(),
      EMAIL_API_KEY: apiKey().optional(),
      EMAIL_FROM: sender().optional(),
      NOTIFY_EMAIL_TO: addresses("Recipients must be e-mail addresses, separated by commas", MOST_ADDRESSES).optional(),
      ESCALATE_AFTER_MIN: wholeNumber("Escalation", { min: 0, max: MOST_MINUTES }).optional(),
      ESCALATE_TO: people().optional(),
      EMAIL_API_BASE: apiBase(allow).optional(),
    },
    MAP_REQUIRED,
  );
}

const MOST_ADDRESSES = 50;
const MOST_MINUTES = 1_440;
const MOST_PEOPLE = 10;

/** To whom a test e-mail goes. */
export const emailTestInput = z.object(
  {
    to: addresses(INVALID_EMAIL, 1).refine((to) => to !== "", INVALID_EMAIL),
  },
  INVALID_EMAIL,
);

/** What became of a test e-mail, in a sentence. */
export const emailTest = z
  .object({ success: z.boolean(), detail: z.string().describe("'Postmark refused it (401): bad API token'") })
  .meta({ id: "EmailTest" });
export type EmailTest = z.infer<typeof emailTest>;

/**
 * The entries of a setting that is a list in one text, each once: addresses in lower case, as people's own are stored, since
 * whoever is in two lists would hear of everything twice.
 */
export function listed(text: string): string[] {
  return [...new Set(text.split(",").map((entry) => entry.trim().toLowerCase()))].filter(Boolean);
}

/** Whether the key may be sent to this address; checked again at every use. */
export function isLoopbackBase(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username || password || search || hash) return false;
  return /^https?:$/.test(protocol) && LOOPBACK_HOSTS.includes(hostname);
}

function apiKey() {
  const invalid = "The API key must be one word, as the e-mail service shows it";
  return (
    z
      .string(invalid)
      .trim()
      .max(MAX_KEY, `The API key may have at most ${MAX_KEY} characters`)
      // A header takes no other characters.
      .refine((key) => key === "" || isMask(key) || /^[\x21-\x7e]+$/.test(key), invalid)
  );
}

/** As the service has confirmed it; empty for none. */
function sender() {
  const invalid = "The sender must be an e-mail address";
  return z
    .string(invalid)
    .trim()
    .refine((text) => text === "" || isAddress(text), invalid);
}

/** At most `most` addresses, comma-separated; empty for none. */
function addresses(invalid: string, most: number) {
  return z
    .string(invalid)
    .max(MAX_NOTES, invalid)
    .transform(listed)
    .refine((list) => list.length <= most && list.every(isAddress), invalid)
    .transform((list) => list.join(","));
}

/** In their order, comma-separated; empty for nobody. */
function people() {
  const invalid = `At most ${MOST_PEOPLE} people, each by an E.164 phone number or an e-mail address, separated by commas`;
  return z
    .string(invalid)
    .max(MAX_NOTES, invalid)
    .transform(listed)
    .refine((list) => list.length <= MOST_PEOPLE && list.every((one) => isPhone(one) || isAddress(one)), invalid)
    .transform((list) => list.join(","));
}

/** Whether a text is an e-mail address. */
export function isAddress(text: string): boolean {
  return isPlainLine(text) && text.length <= 254 && z.email().safeParse(text).success;
}

function apiBase({ loopback }: { loopback: boolean }) {
  const invalid = "The address of the e-mail service is fixed";
  return z
    .string(invalid)
    .trim()
    .max(MAX_KEY, invalid)
    .refine(isPlainLine, unprintable("The address"))
    .refine((text) => text === "" || (loopback && isLoopbackBase(text)), invalid);
}
