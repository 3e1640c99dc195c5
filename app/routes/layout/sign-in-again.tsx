import { Form } from "@remix-run/react";
import { useOrganization } from "#app/components/organization";
import { AccountForm } from "#app/session/account-form";
import { CodeField } from "#app/session/code-field";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";
import { Field, TextInput } from "#app/ui/field";

/** Why the session ended: nobody was there, it has lasted as long as it may, or it was ended elsewhere. */
export type EndReason = "idle" | "over" | "elsewhere";

const WHY: Record<EndReason, string> = {
  idle: "Nothing happened here for a while.",
  over: "A session lasts twelve hours at most.",
  elsewhere: "This session was ended elsewhere, as by a new password.",
};

/** The sign-in over a page whose session ended, which it hides. Another person goes to the sign-in page instead. */
export function SignInAgain({ reason, onDone }: { reason: EndReason; onDone: () => void }) {
  const { user } = useOrganization();
  return (
    <AlertDialog
      title="You were signed out"
      description={`${WHY[reason]} Sign in again to go on where you were: what you typed is still there.`}
      hidesPage
    >
      <div className="flex w-full flex-col gap-2">
        <AccountForm intent="sign_in" action="/sign-in-again" org_id={user.current_org_id} go="Sign In" onDone={onDone}>
          {(errors) => (
            <>
              <p className="truncate font-medium">{user.email}</p>
              <input type="hidden" name="email" autoComplete="username" value={user.email} />
              <input type="hidden" name="dept_id" value={user.current_dept_id ?? ""} />
              <Field label="Password">
                <TextInput type="password" name="password" autoComplete="current-password" required autoFocus />
              </Field>
              <CodeField isAsked={errors.code !== undefined} error={errors.code} />
            </>
          )}
        </AccountForm>
        {/* Not a mere link: the server may not have heard of the time-out yet, and would lead back to the dashboard. */}
        <Form method="post" action="/sign-out" reloadDocument>
          <Button type="submit">Leave this page</Button>
        </Form>
      </div>
    </AlertDialog>
  );
}
