import { ButtonLink } from "#app/components/button-link";
import { Note } from "#app/components/note";
import { useOrganization } from "#app/components/organization";
import type { FormAnswer } from "#app/forms/form-answer";
import { HiddenFields, IdempotencyKey } from "#app/forms/hidden-fields";
import { Unsaved } from "#app/forms/unsaved";
import { useAnswer } from "#app/forms/use-answer";
import { useSavedBefore } from "#app/forms/use-saved-before";
import { AccountForm } from "#app/session/account-form";
import { Button } from "#app/ui/button";
import { Field, FieldScope, TextInput } from "#app/ui/field";
import { KIND_WORDS } from "#domain/alarms/alarm-words";
import { ALARM_KINDS } from "#domain/enums";
import type { MessageChoice } from "#domain/messages/message-choice";
import { can } from "#domain/organization/permissions";
import { ChoiceBoxes } from "./choice-boxes";

type Props = { choice: MessageChoice; ways: { messages: boolean; email: boolean } };

const CHANNELS = [
  { value: "sms", label: "SMS" },
  { value: "email", label: "E-mail" },
];
const KINDS = ALARM_KINDS.map((kind) => ({ value: kind, label: KIND_WORDS[kind] }));
const DIGEST = [{ value: "true", label: "One message at their end tells what they held back" }];

/** How one wants to hear of alarms oneself, and a test of it. */
export function OwnMessages({ choice, ways }: Props) {
  const { user, zone } = useOrganization();
  const channels = [...choice.urgent_by, ...choice.other_by];
  return (
    <div className="flex flex-col gap-4">
      {!ways.messages && <Note>Messages are switched off in this organization: nobody hears of alarms.</Note>}
      {!ways.email && channels.includes("email") && (
        <Note>E-mail is switched off in this organization: nothing reaches you by it.</Note>
      )}
      {channels.length === 0 && <p>You hear of no alarms yet. Choose how you want to.</p>}
      <AccountForm intent="save_messages" org_id={user.current_org_id} go="Save messages">
        {(errors, answer) => (
          <>
            <Unsaved within="screen" answer={answer} isStored />
            <Version version={choice.version} answer={answer} />
            <div className="grid gap-4 sm:grid-cols-2">
              <FieldScope name="phone" error={errors["phone"]}>
                <Field label="Your phone number" hint="With the country's code: +13105550142">
                  <TextInput type="tel" defaultValue={choice.phone ?? ""} autoComplete="tel" />
                </Field>
              </FieldScope>
              <FieldScope name="email" error={errors["email"]}>
                <Field label="Your e-mail address" hint="Empty for the one that you sign in with">
                  <TextInput
                    inputMode="email"
                    defaultValue={choice.email ?? ""}
                    placeholder={user.email}
                    autoComplete="email"
                  />
                </Field>
              </FieldScope>
            </div>
            <ChoiceBoxes
              name="urgent_by"
              legend="Urgent alarms"
              hint="Lights are, or may soon be, other than they should be. At any hour."
              choices={CHANNELS}
              chosen={choice.urgent_by}
            />
            <ChoiceBoxes
              name="other_by"
              legend="Other alarms"
              hint="They can wait for the morning."
              choices={CHANNELS}
              chosen={choice.other_by}
            />
            <div className="grid grid-cols-2 gap-4">
              <FieldScope name="quiet_from" error={errors["quiet_from"]}>
                <Field label="Quiet hours from" hint={`By the clocks of ${zone}`}>
                  <TextInput type="time" defaultValue={choice.quiet_from ?? ""} />
                </Field>
              </FieldScope>
              <FieldScope name="quiet_to" error={errors["quiet_to"]}>
                <Field label="Quiet hours to" hint="Urgent alarms ignore them">
                  <TextInput type="time" defaultValue={choice.quiet_to ?? ""} />
                </Field>
              </FieldScope>
            </div>
            <ChoiceBoxes
              name="digest"
              legend="After quiet hours"
              choices={DIGEST}
              chosen={choice.digest ? ["true"] : []}
            />
            <details open={choice.left_out.length > 0}>
              <summary className="cursor-pointer py-2.5 font-medium sm:py-1.5">Kinds that you leave out</summary>
              <ChoiceBoxes name="left_out" legend="Do not tell me when" choices={KINDS} chosen={choice.left_out} />
            </details>
          </>
        )}
      </AccountForm>
      <OwnTest canTest={channels.length > 0} />
      {can(user, "messages.see") && (
        <ButtonLink to="/settings/messages" className="self-start">
          Who hears of alarms
        </ButtonLink>
      )}
    </div>
  );
}

function Version({ version, answer }: { version: number; answer: FormAnswer | undefined }) {
  const before = useSavedBefore(answer);
  const newest = Math.max(version, before.version ?? 0);
  return (
    <>
      {newest > 0 && <input type="hidden" name="version" value={newest} />}
      <IdempotencyKey key={`${newest} ${before.count}`} />
    </>
  );
}

function OwnTest({ canTest }: { canTest: boolean }) {
  const { fetcher, pending, answer } = useAnswer({ key: "own-message-test" });
  return (
    <fetcher.Form method="post" className="border-line flex flex-col items-start gap-2 border-t pt-4">
      <HiddenFields intent="test_messages" />
      <Button type="submit" pending={pending} disabled={!canTest}>
        {pending ? "Sending..." : "Send a test message to me"}
      </Button>
      <p className="text-ink-faint text-xs">Sent now by your saved choice, also in quiet hours</p>
      {answer?.detail && !pending && (
        <p role="status" className="break-words">
          {answer.detail}
        </p>
      )}
    </fetcher.Form>
  );
}
