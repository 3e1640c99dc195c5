import { Await } from "@remix-run/react";
import { Suspense, useEffect, useRef, useState, type FormEvent, type ReactNode } from "react";
import { Failure } from "#app/components/failure";
import { SHOWN } from "#app/forms/form-fields";
import { HiddenFields } from "#app/forms/hidden-fields";
import { FormErrorsProvider, useFormErrors } from "#app/forms/form-errors";
import { isTicked, isTyped, isTypedField, type TypedField } from "#app/forms/typed-early";
import { Unsaved } from "#app/forms/unsaved";
import { useAnswer } from "#app/forms/use-answer";
import { useFocusFirstError } from "#app/forms/use-focus-first-error";
import { useFailed } from "#app/router/connection";
import type { Deferred } from "#app/router/deferred";
import { useEnd } from "#app/router/streamed";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { classes } from "#app/ui/classes";
import { FieldAnswer, FieldScope, TypedValues } from "#app/ui/field";
import { useNoScript } from "#app/ui/no-script";
import { LoadingBlock } from "#app/ui/spinner";

type Props = {
  /** The button's label. */
  save: string;
  /** What the fields show, as it was last loaded. */
  stored: object;
  /** Called on every change, and with null once everything is saved. */
  onTyped?: (form: FormData | null) => void;
  children: ReactNode;
};

/** A screen that is one form: sections, a sticky Save button, and the server's errors. */
export function SettingsForm({ save, stored, onTyped, children }: Props) {
  const isSaved = useRef(false);
  const { fetcher, pending, answer } = useAnswer({ onDone: () => void (isSaved.current = true) });
  const failed = answer && !answer.ok ? answer : null;
  const noScript = useNoScript();
  const form = useFocusFirstError(failed);
  const isTypedSince = useRef(false);
  /** What was changed and changed back. */
  const undone = useRef(new Set<TypedField>());
  // Of a page without script; what it is compared with is what the page before has shown.
  const typed = failed?.typed && SHOWN in failed.typed && noScript ? failed.typed : null;

  // After a save the fields show the stored values, such as the mask of a new key, once these have come: until then they
  // would show the values that were replaced. What was typed meanwhile stays.
  useEffect(() => {
    if (form.current) follow(form.current, new Map(Object.entries(stored)), undone.current);
    if (isTypedSince.current) onTyped?.(new FormData(form.current ?? undefined));
    if (!isSaved.current || isTypedSince.current) return;
    isSaved.current = false;
    form.current?.reset();
    onTyped?.(null);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `form` and `onTyped` stay the same
  }, [stored]);

  function onChange(event: FormEvent<HTMLFormElement>) {
    isTypedSince.current = true;
    const { target } = event;
    if (isTypedField(target)) undone.current[isTyped(target) ? "delete" : "add"](target);
    onTyped?.(new FormData(event.currentTarget));
  }

  return (
    <fetcher.Form
      ref={form}
      method="post"
      noValidate
      autoComplete="off"
      onChange={onChange}
      onSubmit={() => void (isSaved.current = isTypedSince.current = false)}
    >
      <HiddenFields intent="save" />
      {/* By which the server tells what the person has changed. */}
      <input type="hidden" name={SHOWN} value={typed?.[SHOWN] ?? JSON.stringify(stored)} />
      <Unsaved within="screen" answer={answer} isStored />
      <div className="grid gap-4 lg:grid-cols-2">
        <FieldAnswer.Provider value={answer}>
          <FormErrorsProvider value={failed?.errors ?? {}}>
            <TypedValues value={typed}>{children}</TypedValues>
          </FormErrorsProvider>
        </FieldAnswer.Provider>
      </div>
      <div
        data-bar
        className="bg-canvas sticky bottom-[var(--bottom-bar)] z-10 -mx-1 mt-1 flex flex-wrap-reverse items-center gap-3 px-1 py-3"
      >
        <Button type="submit" variant="primary" pending={pending} className="max-sm:w-full">
          {pending ? "Saving..." : save}
        </Button>
        {failed && Object.keys(failed.errors).length === 0 && (
          <p className="bg-bad-soft text-bad-text rounded-md px-3 py-2 font-medium">{failed.toast}</p>
        )}
      </div>
    </fetcher.Form>
  );
}

/**
 * Shows what is stored where nothing was typed or chosen. React does so but for selects, for a number that has the focus and
 * for what is `undone`; what is as the form was told that it shows would be taken for a person's change.
 */
function follow(form: HTMLFormElement, stored: ReadonlyMap<string, unknown>, undone: ReadonlySet<TypedField>): void {
  const storedIn = ({ name }: { name: string }) => String(stored.get(name) ?? "");
  for (const number of form.querySelectorAll<HTMLInputElement>("[type=number]")) number.defaultValue = storedIn(number);
  for (const select of form.querySelectorAll("select")) {
    const isChosen = select.selectedOptions[0]?.defaultSelected === false;
    const shown = isChosen ? select.value : storedIn(select);
    for (const option of select.options) option.defaultSelected = option.value === storedIn(select);
    select.value = shown;
  }
  for (const field of undone) {
    if (isTicked(field)) field.checked = field.defaultChecked;
    else field.value = field.defaultValue;
  }
}

type StoredProps<Stored> = {
  settings: Promise<Deferred<Stored>>;
  failed: string;
  children: (stored: Stored) => ReactNode;
};

/** Shows the settings once they have loaded. */
export function StoredSettings<Stored>({ settings, failed, children }: StoredProps<Stored>) {
  const end = useEnd(settings);
  return (
    <Suspense fallback={<LoadingBlock label="Loading settings..." />}>
      <Await resolve={end} errorElement={<Failure text={failed} />}>
        {({ rows }) => (
          <LastStored stored={rows} failed={failed}>
            {children}
          </LastStored>
        )}
      </Await>
    </Suspense>
  );
}

type LastProps<Stored> = Omit<StoredProps<Stored>, "settings"> & { stored: Stored | null };

/** Keeps the form when a later reload fails, since somebody may be typing in it. */
function LastStored<Stored>({ stored, failed, children }: LastProps<Stored>) {
  const [last, setLast] = useState(stored);
  if (stored !== null && stored !== last) setLast(stored);
  const shown = stored ?? last;
  if (shown === null) return <Failure text={failed} />;
  return (
    <>
      {children(shown)}
      {stored === null && <NotLoaded />}
    </>
  );
}

/** What failed is loaded again by itself; to whoever types in the form as it was there is nothing to say. */
function NotLoaded() {
  useFailed();
  return null;
}

type SettingProps<Name extends string> = { name: Name; children: ReactNode };

/** Names the control of a setting and shows its error, or the error of an entry of its list. */
export function Setting<Name extends string>({ name, children }: SettingProps<Name>) {
  const errors = Object.entries(useFormErrors());
  const error = errors.find(([field]) => field === name || field.startsWith(`${name}.`))?.[1];
  return (
    <FieldScope name={name} error={error}>
      {children}
    </FieldScope>
  );
}

type SectionProps = { title: string; text?: string; aside?: ReactNode; className?: string; children: ReactNode };

export function Section({ title, text, aside, className, children }: SectionProps) {
  return (
    <Card aria-label={title} className={classes("flex flex-col gap-4 p-4 sm:p-5", className)}>
      <div className="tiny:flex-wrap flex items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">{title}</h2>
          {text && <p className="text-ink-soft mt-0.5">{text}</p>}
        </div>
        {aside && <div className="shrink-0">{aside}</div>}
      </div>
      {children}
    </Card>
  );
}
