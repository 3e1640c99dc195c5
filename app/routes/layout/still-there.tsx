import { Form } from "@remix-run/react";
import { AlertDialog } from "#app/ui/alert-dialog";
import { Button } from "#app/ui/button";

/** Asked before the session times out, over whatever is open. */
export function StillThere({ onStay }: { onStay: () => void }) {
  return (
    <AlertDialog
      title="Are you still there?"
      description="You will be signed out in less than two minutes, because nothing happened here for a while."
      keep="Stay signed in"
      keepVariant="primary"
      onKeep={onStay}
    >
      <Form method="post" action="/sign-out" className="contents">
        <Button type="submit">Sign out</Button>
      </Form>
    </AlertDialog>
  );
}
