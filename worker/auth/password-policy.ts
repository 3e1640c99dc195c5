import { z } from "zod";
import { currentPassword } from "#domain/organization/login-schema";
import { COMMON_PASSWORDS } from "#worker/auth/common-passwords";

const MAX_PASSWORD = 128;
const MIN_PASSWORD = 12;
const PRODUCT = "lamplighter";
/** Too many good passwords contain a shorter part of a name. */
const LEAST_NAME = 4;

/** Names that the password must not consist of. */
export type Names = { email: string; organizations: string[] };

/**
 * The rules of a new password, the same wherever one is set: 12 to 128 characters, not a common password and not a name
 * with a few characters around it. They are checked when a password is set, never at sign-in.
 */
export function newPassword(names: Names) {
  return z
    .string("New password is required")
    .min(MIN_PASSWORD, `The password needs at least ${MIN_PASSWORD} characters`)
    .max(MAX_PASSWORD, `The password may have at most ${MAX_PASSWORD} characters`)
    .refine((password) => !isCommon(password), "This password is too common. Please choose another")
    .refine((password) => !isName(password, names), NAMED);
}

const NAMED = "This password is too close to your e-mail, your organization or this product. Please choose another";

export function passwordChange(names: Names) {
  return z.object({
    current_password: currentPassword,
    new_password: newPassword(names),
  });
}

/** Both, as the API documents them; the refused names depend on the person and are checked separately. */
export const passwordInput = passwordChange({ email: "", organizations: [] }).partial({ current_password: true });

/** For somebody who signed in with a one-time code. */
export function firstPassword(names: Names) {
  return z.object({ new_password: newPassword(names) });
}

/** Removes what people add to make a word long enough: case, and digits and signs at its ends. */
function isCommon(password: string): boolean {
  const plain = password.normalize("NFKC").toLowerCase();
  const core = plain.replace(/^[^a-z]+|[^a-z]+$/g, "");
  return [plain, core].some((text) => common().has(text) || WORDS.has(text)) || isPattern(plain);
}

/** Parsed once, when the first password is set. */
let parsed: Set<string> | undefined;
function common(): Set<string> {
  return (parsed ??= new Set(COMMON_PASSWORDS.split("\n")));
}

/** The name itself, repeated, or with fewer than four other characters around it. */
function isName(password: string, { email, organizations }: Names): boolean {
  const [local = "", domain = ""] = email.split("@");
  const names = [PRODUCT, email, local, domain, ...organizations].map(lettersOf).filter((n) => n.length >= LEAST_NAME);
  const plain = lettersOf(password);
  return names.some(
    (name) => plain.includes(name) && plain.replaceAll(name, "").replace(/\d/g, "").length < LEAST_NAME,
  );
}

/** One to eight characters repeated, or a run along the keyboard, the alphabet or the digits. */
function isPattern(text: string): boolean {
  return /^(.{1,8}?)\1+$/.test(text) || RUNS.some((run) => run.includes(text));
}

function lettersOf(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]/gu, "");
}

const RUNS = [
  "01234567890123456789",
  "98765432109876543210",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiopasdfghjklzxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn",
];

/** The words of most weak passwords, and some whole passwords that the list lacks. */
const WORDS = new Set(
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
