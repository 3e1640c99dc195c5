import { useState } from "react";
import { Field, TextInput } from "#app/ui/field";

type Props = { isAsked: boolean; error?: string };

/** The second factor at sign-in. It stays once shown, since the next error may be about the password. */
export function CodeField({ isAsked, error }: Props) {
  const [wasAsked, setAsked] = useState(isAsked);
  if (isAsked && !wasAsked) setAsked(true);
  if (!isAsked && !wasAsked) return null;
  return (
    <Field label="Code" error={error} hint="Six digits from your authenticator app, or a recovery code">
      <TextInput name="code" autoComplete="one-time-code" spellCheck={false} required autoFocus />
    </Field>
  );
}
