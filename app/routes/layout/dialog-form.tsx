import { Form, useLocation, useSearchParams } from "@remix-run/react";
import { viewOf } from "#app/router/view";
import { DIALOG_FORM } from "#app/ui/no-script";

/** The form that `opens` and `reloads` submit; it loads this page again with another dialog or none. */
export function DialogForm() {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  return (
    <Form id={DIALOG_FORM} method="get" action={pathname} preventScrollReset hidden>
      {[...viewOf(search)].map(([name, value]) => (
        <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
      ))}
    </Form>
  );
}
