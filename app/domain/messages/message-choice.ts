import { z } from "zod";
import { ALARM_KINDS, MESSAGE_CHANNELS, ROLES } from "#domain/enums";
import { flag } from "#domain/fields/fields";
import { isPhone } from "#domain/fields/phone";
import { clockText, isClock } from "#domain/guardrails/guardrail-settings-schema";
import { INVALID_EMAIL } from "#domain/organization/login-schema";
import { isAddress } from "./message-settings";

const instant = z.iso.datetime();
const channels = z.array(z.enum(MESSAGE_CHANNELS));
const INVALID_PHONE = "The phone number must be E.164, such as +13105550142";
const INVALID_CLOCK = "Quiet hours must be times as HH:MM, or empty";

/** How a person wants to hear of alarms in an organization. */
export const messageChoice = z
  .object({
    version: z.int().describe("0 while nothing was saved"),
    updated_at: instant.nullable(),
    phone: z.string().nullable().describe("E.164"),
    email: z.string().nullable().describe("Null for the account's address"),
    urgent_by: channels.describe("Channels of urgent alarms; these ignore quiet hours"),
    other_by: channels.describe("Channels of all other alarms"),
    left_out: z.array(z.enum(ALARM_KINDS)).describe("Kinds of alarms that the person does not hear of"),
    quiet_from: z.string().nullable().describe("HH:MM by the city's clocks"),
    quiet_to: z.string().nullable(),
    digest: z.boolean().describe("Whether one message at the end of quiet hours tells what they held back"),
  })
  .meta({ id: "MessageChoice" });
export type MessageChoice = z.infer<typeof messageChoice>;

/** A colleague with their choice, for whoever has to know who hears of what. */
export const colleagueChoice = z
  .object({
    user_id: z.string(),
    ...messageChoice.omit({ email: true }).shape,
    email: z.string().describe("Where their e-mail goes"),
    account: z.string().describe("The e-mail address that they sign in with"),
    role: z.enum(ROLES),
  })
  .meta({ id: "ColleagueMessageChoice" });
export type ColleagueChoice = z.infer<typeof colleagueChoice>;

/** What became of a test message, in a sentence. */
export const messageTest = z
  .object({ success: z.boolean(), detail: z.string().describe("'Sent to +13105550142.'") })
  .meta({ id: "MessageTest" });
export type MessageTest = z.infer<typeof messageTest>;

/** The input of a choice. Absent keys stay as they are, empty texts are none; an empty e-mail address is the account's. */
export const messageChoiceInput = z.object(
  {
    phone: optionalText(INVALID_PHONE, isPhone),
    email: optionalText(INVALID_EMAIL, isAddress),
    urgent_by: channelsInput(),
    other_by: channelsInput(),
    left_out: z
      .array(z.enum(ALARM_KINDS, "Choose kinds of alarms"), "Choose kinds of alarms")
      .max(ALARM_KINDS.length, "Choose each kind once")
      .transform((kinds) => ALARM_KINDS.filter((kind) => kinds.includes(kind)))
      .optional(),
    quiet_from: clock(),
    quiet_to: clock(),
    digest: flag("The digest").optional(),
  },
  "A choice of messages is required",
);

/** Somebody who has chosen nothing hears nothing. */
export const NO_CHOICE: MessageChoice = {
  version: 0,
  updated_at: null,
  phone: null,
  email: null,
  urgent_by: [],
  other_by: [],
  left_out: [],
  quiet_from: null,
  quiet_to: null,
  digest: true,
};

function channelsInput() {
  const message = `Channels must be some of: ${MESSAGE_CHANNELS.join(", ")}`;
  return z
    .array(z.enum(MESSAGE_CHANNELS, message), message)
    .max(MESSAGE_CHANNELS.length, message)
    .transform((some) => MESSAGE_CHANNELS.filter((channel) => some.includes(channel)))
    .optional();
}

function optionalText(invalid: string, isValid: (text: string) => boolean) {
  return (
    z
      .string(invalid)
      .trim()
      .refine((text) => text === "" || isValid(text), invalid)
      // As the account's address is stored: of two spellings the person would hear twice.
      .transform((text) => (text === "" ? null : text.toLowerCase()))
      .nullable()
      .optional()
  );
}

function clock() {
  return clockText(INVALID_CLOCK, isClock)
    .transform((text) => (text === "" ? null : text))
    .nullable()
    .optional();
}
