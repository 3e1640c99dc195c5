import { z } from "zod";

/** The longest address that mail can be sent to (RFC 5321). */
const MAX_EMAIL = 254;
const MAX_CODE = 40;
/** What is said where the code of an authenticator app is missing. */
export const APP_CODE_REQUIRED = "Enter the code of your authenticator app";
const EMAIL_REQUIRED = "Email is required";
export const INVALID_EMAIL = "Please enter a valid email address";

/** A person's e-mail address, stored and compared in lower case. */
export const emailField = z
  .string(EMAIL_REQUIRED)
  .trim()
  .toLowerCase()
  .min(1, EMAIL_REQUIRED)
  .max(MAX_EMAIL, INVALID_EMAIL)
  .pipe(z.email(INVALID_EMAIL));

/** A password to check, without the rules for new ones. */
function passwordField(required: string) {
  return z.string(required).min(1, required).max(1000, "Password is too long");
}

/** `code` is needed by people with an authenticator app: its six digits, or a recovery code. */
export const loginInput = z.object({
  email: emailField,
  password: passwordField("Password is required"),
  code: z.string("Code must be text").trim().max(MAX_CODE, "Code is too long").optional(),
});

/** The one-time code of an invitation. */
export const codeInput = z.object({ code: codeField("Enter the code of your invitation") });

/** What is said where it is not the present one. */
export const WRONG_PASSWORD = "The current password is not correct";

/** The present password, where a change asks for it again. */
export const currentPassword = passwordField("Current password is required");

/** Changing the second factor requires the password again. */
export const secondFactorBegin = z.object({ current_password: currentPassword });

/** The first code of a new authenticator app. */
export const secondFactorCode = z.object({ code: codeField(APP_CODE_REQUIRED) });

/** `code` is needed where the organization requires a second factor: the app's six digits, or a recovery code. */
export const secondFactorRemove = z.object({
  ...secondFactorBegin.shape,
  code: codeField("Enter a code of your authenticator app, or a recovery code").optional(),
});

function codeField(required: string) {
  return z.string(required).trim().min(1, required).max(MAX_CODE, "Code is too long");
}
