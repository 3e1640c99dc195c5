import { useActionData } from "@remix-run/react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { AccountForm } from "#app/session/account-form";
import type { FormAnswer } from "#app/forms/form-answer";
import { IdempotencyKey } from "#app/forms/hidden-fields";
import { useNeedsPage } from "#app/router/needed-page";
import type { SecondFactorSetup as Setup } from "#domain/records/records";
import { classes } from "#app/ui/classes";
import { useNoScript } from "#app/ui/no-script";
import { Field, TextInput } from "#app/ui/field";

type Props = { org_id: string };

/** Three steps: the password, the QR code and the app's first code, the recovery codes. */
export function SecondFactorSetup({ org_id }: Props) {
  const page = useActionData<FormAnswer>();
  const [setup, setSetup] = useState(page ? setupIn(page) : null);
  const [codes, setCodes] = useState<string | null>(page?.ok && !page.setup ? (page.shown_once ?? null) : null);
  if (codes) return <RecoveryCodes codes={codes.split(" ")} />;
  if (setup) return <Confirm org_id={org_id} setup={setup} onDone={(answer) => setCodes(answer.shown_once ?? "")} />;
  return (
    <AccountForm intent="begin" org_id={org_id} go="Set up" onDone={(answer) => setSetup(answer.setup ?? null)}>
      {(errors) => (
        <Field label="Current password" error={errors.current_password}>
          <TextInput type="password" name="current_password" autoComplete="current-password" />
        </Field>
      )}
    </AccountForm>
  );
}

/** Without script a code that is not right comes back with what it was for: begun anew, the app would need another picture. */
function setupIn({ setup, typed }: FormAnswer): Setup | null {
  const { key, link, qr_svg } = typed ?? {};
  return setup ?? (key && link && qr_svg ? { secret: key, link, qr_svg } : null);
}

function Confirm({ org_id, setup, onDone }: { org_id: string; setup: Setup; onDone: (answer: FormAnswer) => void }) {
  const noScript = useNoScript();
  const picture = `data:image/svg+xml,${encodeURIComponent(setup.qr_svg)}`;
  return (
    <div className="flex flex-col gap-4">
      <NextStep>Scan this picture with an authenticator app, then enter the six digits that the app shows.</NextStep>
      <img src={picture} alt="QR code for the authenticator app" className="size-48 rounded-md bg-white" />
      <details className="text-ink-soft">
        <summary>No camera? Enter the key by hand</summary>
        <code className="text-ink mt-1 block break-all select-all">{setup.secret}</code>
      </details>
      <AccountForm intent="confirm" org_id={org_id} go="Confirm" onDone={onDone}>
        {(errors) => (
          <>
            <IdempotencyKey />
            {noScript && (
              <>
                <input type="hidden" name="key" value={setup.secret} />
                <input type="hidden" name="link" value={setup.link} />
                <input type="hidden" name="qr_svg" value={setup.qr_svg} />
              </>
            )}
            <Field label="Code" error={errors.code}>
              <TextInput name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={10} />
            </Field>
          </>
        )}
      </AccountForm>
    </div>
  );
}

function RecoveryCodes({ codes }: { codes: string[] }) {
  useNeedsPage();
  return (
    <div className="flex flex-col gap-3">
      <NextStep className="font-medium">
        Your second factor is on. Keep these recovery codes: each signs you in once if you lose your phone, and they are
        shown only now.
      </NextStep>
      <ul aria-label="Recovery codes" className="bg-sunken grid grid-cols-2 gap-x-6 gap-y-1 rounded-md px-4 py-3">
        {codes.map((code) => (
          <li key={code}>
            <code className="select-all">{code}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What a step begins with. It has the focus, as the step before took away what had it: one would go on with another form. */
function NextStep({ className, children }: { className?: string; children: ReactNode }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  useEffect(() => sentence.current?.focus(), []);
  return (
    <p ref={sentence} tabIndex={-1} className={classes("outline-none", className)}>
      {children}
    </p>
  );
}
