import { useEffect, useId, useRef, type ComponentProps, type MouseEvent, type ReactNode } from "react";
import { toast } from "sonner";
import { classes } from "#app/ui/classes";
import { useNoScript } from "#app/ui/no-script";
import { Spinner } from "#app/ui/spinner";

// How each looks is in tailwind.css, by these names; a button without one is secondary, of medium size.
export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "icon";

type Props = ComponentProps<"button"> & {
  variant?: ButtonVariant;
  size?: ButtonSize;
  pending?: boolean;
  icon?: ReactNode;
  /** Why it does nothing now; null or left out if it works. */
  why?: string | null | undefined;
};

/**
 * While pending it is disabled and its icon becomes a spinner; the caller changes the label. With `why` it is gray, but
 * stays reachable by keyboard and touch: a native disabled button could not tell its reason.
 */
export function Button({ variant = "secondary", size = "md", pending = false, icon, why, children, ...rest }: Props) {
  const disabled = pending || rest.disabled === true;
  const keepsFocus = useKeptFocus(disabled, rest.onClick);
  const told = useId();
  // Only a script can keep the button from submitting its form.
  const noScript = useNoScript();
  const reason = why
    ? {
        title: why,
        "aria-disabled": true,
        "aria-describedby": rest["aria-describedby"] ?? told,
        onClick: (event: MouseEvent) => tellInstead(event, why),
      }
    : {};
  return (
    <>
      <button
        {...rest}
        // A button submits unless it says otherwise; on a list's cards the word alone would be kilobytes.
        type={rest.type === "submit" ? undefined : (rest.type ?? "button")}
        {...keepsFocus}
        {...reason}
        disabled={disabled || (noScript && Boolean(why))}
        aria-busy={pending || undefined}
        className={classes(buttonClasses(variant, size), rest.className)}
      >
        {pending ? <Spinner /> : icon}
        {children}
      </button>
      {why && !rest["aria-describedby"] && (
        <span id={told} hidden>
          {why}
        </span>
      )}
    </>
  );
}

function tellInstead(event: MouseEvent, why: string) {
  event.preventDefault();
  toast.info(why, { id: why });
}

/** A disabled button loses the focus; the clicked one gets it back once it is enabled. */
function useKeptFocus(disabled: boolean, onClick: Props["onClick"]) {
  const ref = useRef<HTMLButtonElement>(null);
  const pressed = useRef(false);
  useEffect(() => {
    if (disabled || !pressed.current) return;
    pressed.current = false;
    if (document.activeElement === document.body) ref.current?.focus();
  }, [disabled]);
  return {
    ref,
    onClick: (event: MouseEvent<HTMLButtonElement>) => {
      pressed.current = true;
      onClick?.(event);
    },
  };
}

export function buttonClasses(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return classes("button", size !== "md" && `button-${size}`, variant !== "secondary" && `button-${variant}`);
}
