import { HiddenFields } from "#app/forms/hidden-fields";
import { Section } from "#app/forms/settings-form";
import { useAnswer } from "#app/forms/use-answer";
import { Button } from "#app/ui/button";
import { Field, FieldScope, TextInput } from "#app/ui/field";

/** Sends a test e-mail; the service's answer stays on the screen. `own`: the person's own address. */
export function EmailTestForm({ own, isOn }: { own: string; isOn: boolean }) {
  const { fetcher, pending, answer } = useAnswer({ key: "email-test" });
  return (
    <Section title="Test E-mail" text="Checks with the saved settings whether e-mail arrives" className="mt-4">
      <fetcher.Form method="post" noValidate className="flex flex-wrap items-end gap-3">
        <HiddenFields intent="test" />
        <FieldScope name="to" error={answer?.errors.to}>
          <Field label="Send a test to" className="w-full sm:w-72">
            <TextInput type="email" defaultValue={own} autoComplete="off" />
          </Field>
        </FieldScope>
        <Button type="submit" pending={pending} disabled={!isOn}>
          {pending ? "Sending..." : "Send a test"}
        </Button>
      </fetcher.Form>
      {!isOn && <p className="text-ink-soft">Switch an e-mail service on first.</p>}
      {answer?.detail && !pending && <p role="status">{answer.detail}</p>}
    </Section>
  );
}
