import { z } from "zod";

/** The longest address that mail can be sent to (RFC 5321). */
const MAX_EMAIL = 254;
const MAX_PASSWORD = 128;
const MIN_PASSWORD = 12;
const INVALID_EMAIL = "Please enter a valid email address";

/** Stored and compared in lower case. */
export function emailField(required: string) {
  return z
    .string(required)
    .trim()
    .toLowerCase()
    .min(1, required)
    .max(MAX_EMAIL, INVALID_EMAIL)
    .pipe(z.email(INVALID_EMAIL));
}

/** Says nothing of a password's shape: what is wrong with a wrong password is not for the form to tell. */
export const loginInput = z.object({
  email: emailField("Email is required"),
  password: z.string("Password is required").min(1, "Password is required").max(1000, "Password is too long"),
});

/** At least 12 characters, at most 128, and none of those that everybody tries first. */
const newPassword = z
  .string("New password is required")
  .min(MIN_PASSWORD, `The password needs at least ${MIN_PASSWORD} characters`)
  .max(MAX_PASSWORD, `The password may have at most ${MAX_PASSWORD} characters`)
  .refine((password) => !isCommon(password), "This password is too common. Please choose another");

export const passwordChange = z.object({
  current_password: z
    .string("Current password is required")
    .min(1, "Current password is required")
    .max(1000, "Password is too long"),
  new_password: newPassword,
});

/** Leaves out what people add to make a word long enough: case, digits and signs at its ends. */
function isCommon(password: string): boolean {
  const plain = password.toLowerCase();
  const core = plain.replace(/^[^a-z]+|[^a-z]+$/g, "");
  return COMMON.has(plain) || COMMON.has(core) || isPattern(plain);
}

/** One to four characters over and over, or a run along the keyboard, the alphabet or the digits. */
function isPattern(text: string): boolean {
  return /^(.{1,4}?)\1+$/.test(text) || RUNS.some((run) => run.includes(text));
}

const RUNS = [
  "01234567890123456789",
  "98765432109876543210",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn",
];

/** From the published lists of leaked passwords: those of 12 characters or more, and the words that most are made of. */
const COMMON = new Set(
  `password passwort password1 passw0rd p@ssword p@ssw0rd mypassword thepassword yourpassword newpassword
  passwordpassword changeme pleasechangeme changemeplease letmein letmeinplease letmeinnow welcome welcomeback
  welcomehome admin administrator adminadmin superadmin sysadmin superuser rootroot default
  qwerty qwertyuiop qwertyqwerty qwertyuiopasdf qwerty123456 1q2w3e4r5t6y 1q2w3e4r5t 1qaz2wsx3edc q1w2e3r4t5y6
  zaq12wsxcde3 asdfghjkl asdfghjklqwertyuiop zxcvbnm zxcvbnmasdf iloveyou iloveyouforever iloveyousomuch loveyouforever
  sunshine princess football baseball basketball superman spiderman batman dragon monkey master shadow michael jennifer
  trustno1 whatever whateverman nothing nothingatall unbelievable california newyork losangeles chocolate strawberry
  butterfly abc123abc123 a1b2c3d4e5f6 abcd1234abcd 123456789abc 123qweasdzxc correcthorsebatterystaple
  lamplighter lamplighter-demo lamplighterdemo citylights streetlights parklights summer winter spring autumn`.split(
    /\s+/,
  ),
);
