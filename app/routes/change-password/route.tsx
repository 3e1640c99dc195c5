import { data, type ActionFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useNavigate, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { refused, text, type FormAnswer } from "#app/forms/form-answer";
import { catchLostPassword } from "#app/session/catch-lost-password";
import { requireUser } from "#app/session/session";
import { Refusal } from "#domain/errors";
import PasswordForm from "./password-form";

export const meta: MetaFunction = () => [{ title: "Change password · Lamplighter" }];

const FAILED = { change: "Failed to change password" };
const UNLIKE = "The two new passwords are not the same";

/** The requesting page stays signed in, with a new session. */
export async function action(args: ActionFunctionArgs) {
  await requireUser(args);
  const form = await args.request.clone().formData();
  try {
    if (text(form, "new_password") !== text(form, "repeated")) {
      throw new Refusal("invalid", UNLIKE, { fields: { repeated: UNLIKE } });
    }
    const { headers } = await args.context.changePassword(form);
    return data<FormAnswer>({ ok: true, toast: "Password changed", detail: null, errors: {} }, { headers });
  } catch (caught) {
    return refused(caught, FAILED.change);
  }
}

export const clientAction = (args: ClientActionFunctionArgs) => catchLostPassword(args, FAILED);

/** The page of the form for browsers without script; elsewhere it is a dialog. */
export default function ChangePassword() {
  const navigate = useNavigate();
  return <PasswordForm onClose={() => navigate("/dashboard")} />;
}

export const ErrorBoundary = () => <Failure screen="Change password" text={FAILED.change} />;
