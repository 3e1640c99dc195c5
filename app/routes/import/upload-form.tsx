import { useActionData } from "@remix-run/react";
import { useEffect, useState, type FormEvent } from "react";
import { HiddenFields, IdempotencyKey } from "#app/forms/hidden-fields";
import type { FormAnswer } from "#app/forms/form-answer";
import { useFocusFirstError } from "#app/forms/use-focus-first-error";
import { MAX_IMPORT_BYTES } from "#domain/fields/limits";
import { Button } from "#app/ui/button";
import { Field, FieldAnswer, FieldScope, TextInput } from "#app/ui/field";

/**
 * The browser itself submits this form, with script and without: a large file on a slow line takes longer than the ten
 * seconds that a call has.
 */
export function UploadForm() {
  const answer = useActionData<FormAnswer>();
  const [tooLarge, setTooLarge] = useState<{ sentence: string } | null>(null);
  const [sending, setSending] = useState(false);
  const [choices, setChoices] = useState(0);
  const failed = answer && !answer.ok ? answer : null;
  const error = tooLarge?.sentence ?? failed?.errors.csv ?? failed?.toast;
  const refusal = tooLarge ?? failed;
  const form = useFocusFirstError(refusal);

  // The browser's own Stop, or another link, ends what the browser sends, and the page stays as it is.
  useEffect(() => {
    const stopped = () => setSending(false);
    window.navigation?.addEventListener("navigateerror", stopped);
    return () => window.navigation?.removeEventListener("navigateerror", stopped);
  }, []);

  /** A file that was stopped may have arrived: another one must not pass for it. */
  function chooseAnother() {
    setSending(false);
    setChoices((before) => before + 1);
  }

  function check(event: FormEvent<HTMLFormElement>) {
    const file = new FormData(event.currentTarget).get("csv");
    const isTooLarge = file instanceof File && file.size > MAX_IMPORT_BYTES;
    if (!isTooLarge) return setSending(true);
    event.preventDefault();
    setTooLarge({ sentence: TOO_LARGE });
  }

  return (
    <form
      ref={form}
      method="post"
      action="/import"
      encType="multipart/form-data"
      onSubmit={check}
      className="flex flex-col gap-4 px-4 py-3"
    >
      <HiddenFields intent="upload" />
      <IdempotencyKey key={choices} />
      <FieldAnswer.Provider value={refusal ?? undefined}>
        <FieldScope name="csv" error={error}>
          <Field label="CSV file" hint="At most 10,000 rows of each kind, and 5 MB">
            <TextInput type="file" required accept=".csv,text/csv" className={FILE} onChange={chooseAnother} />
          </Field>
        </FieldScope>
      </FieldAnswer.Provider>
      <ul className="text-ink-soft list-disc space-y-1 pl-5">
        <li>It is checked first, row by row. Nothing changes before you say so.</li>
        <li>
          Areas are found by their name, hubs by area and name, devices by Cloud ID; a device without one by area and
          name. What is not found is new.
        </li>
        <li>A column that the file lacks stays as it is, and an empty cell empties it. An import deletes nothing.</li>
      </ul>
      <Button type="submit" variant="primary" pending={sending} className="self-start">
        {sending ? "Checking..." : "Check file"}
      </Button>
    </form>
  );
}

const TOO_LARGE = "The file is too large: at most 5 MB. Split it into several.";
const FILE = "h-auto py-2 sm:h-auto file:mr-3 file:cursor-pointer file:font-medium";
