import {
  createContext,
  forwardRef,
  useContext,
  useId,
  useState,
  type ComponentProps,
  type ComponentPropsWithoutRef,
  type ReactNode,
} from "react";
import { classes } from "#app/ui/classes";
import { useNoScript } from "#app/ui/no-script";
import { tellEarlyChoice } from "#app/ui/early-choice";

type FieldProps = { label: string; hint?: ReactNode; error?: string; className?: string; children: ReactNode };
type ScopeProps<Name extends string> = { name: Name; error?: string | undefined; children: ReactNode };
type Wiring = { id: string; described: string | undefined; invalid: boolean };

const FieldWiring = createContext<Wiring>({ id: "", described: undefined, invalid: false });

const Scope = createContext<{ name: string; error?: string | undefined }>({ name: "" });

/** Gives the one control inside its name and error, so that neither is repeated. */
export function FieldScope<Name extends string>({ name, error, children }: ScopeProps<Name>) {
  return <Scope.Provider value={{ name, error }}>{children}</Scope.Provider>;
}

export const useFieldScope = () => useContext(Scope);

/** The answer with the form's errors. */
export const FieldAnswer = createContext<unknown>(undefined);

/** A field's error, or those of fields that are mended together, until one of them changes. */
export function useFieldError<Told>(told: Told | undefined) {
  const answer = useContext(FieldAnswer);
  const [outdated, setOutdated] = useState<unknown>();
  const isOutdated = answer !== undefined && answer === outdated;
  return { error: isOutdated ? undefined : told, onChange: () => setOutdated(answer) };
}

/** A label, one control, and its error or hint; the control gets its id from this context. */
export function Field({ label, hint, error: given, className, children }: FieldProps) {
  const id = useId();
  const scope = useFieldScope();
  const { error, onChange } = useFieldError(given ?? scope.error);
  const described = error ? `${id}-error` : hint ? `${id}-hint` : undefined;
  return (
    <div className={classes("flex min-w-0 flex-col gap-1.5", className)} onChange={onChange}>
      <label htmlFor={id} className="text-ink-soft text-sm font-medium">
        {label}
      </label>
      <FieldWiring.Provider value={{ id, described, invalid: error !== undefined }}>{children}</FieldWiring.Provider>
      {error && (
        <p id={`${id}-error`} className="text-bad-text text-xs font-medium">
          {error}
        </p>
      )}
      {!error && hint && (
        <p id={`${id}-hint`} className="text-ink-faint text-xs">
          {hint}
        </p>
      )}
    </div>
  );
}

export const TextInput = forwardRef<HTMLInputElement, ComponentPropsWithoutRef<"input">>(function TextInput(
  { className, ...rest },
  ref,
) {
  return <input ref={ref} {...useControl(rest)} className={classes("control h-11 sm:h-9", className)} />;
});

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea rows={2} {...useControl(rest)} className={classes("control py-2", className)} />;
}

/** The native select, which works best on a phone. */
export function Select({ className, ...rest }: ComponentPropsWithoutRef<"select">) {
  return <select ref={tellEarlyChoice} {...useControl(rest)} className={classes("control h-11 sm:h-9", className)} />;
}

/** The submitted values of a page without script, to fill the fields again after an error. */
const Typed = createContext<Record<string, string> | null>(null);

export const TypedValues = Typed.Provider;
export const useTypedValues = () => useContext(Typed);

type ControlProps = { name?: string | undefined; value?: unknown; defaultValue?: unknown };

/**
 * A control's props from its Field and form: id, name, error and, on a page rendered again without script, the submitted
 * value. Without script, autoFocus focuses the first invalid field; with script, useFocusFirstError does.
 */
function useControl<Props extends ControlProps>(props: Props) {
  const noScript = useNoScript();
  const { id, described, invalid } = useContext(FieldWiring);
  const scope = useFieldScope();
  const name = "name" in props ? props.name : scope.name || undefined;
  const typed = useTypedValues()?.[name ?? ""];
  return {
    id: id || undefined,
    "aria-describedby": described,
    "aria-invalid": invalid || undefined,
    autoFocus: noScript && invalid,
    ...props,
    name,
    ...(typed === undefined || "value" in props ? {} : { defaultValue: typed }),
  };
}
