import { data, type ActionFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useNavigate, type ClientActionFunctionArgs } from "@remix-run/react";
import { Failure } from "#app/components/failure";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { refused, text, type FormAnswer } from "#app/forms/form-answer";
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

/** Changed without an answer it ends this page's session, too: whoever takes it for failed would sign in with the old one. */
export async function clientAction(args: ClientActionFunctionArgs) {
  const answer = await catchNetworkError(args, FAILED);
  return "unreached" in answer ? { ...answer, detail: MAY_HOLD } : answer;
}

const MAY_HOLD = "No answer came. If you are asked to sign in next, the new password holds already.";

/** The page of the form for browsers without script; elsewhere it is a dialog. */
export default function ChangePassword() {
  const navigate = useNavigate();
  return <PasswordForm onClose={() => navigate("/dashboard")} />;
}

export const ErrorBoundary = () => <Failure screen="Change password" text={FAILED.change} />;
