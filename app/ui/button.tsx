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
  const disabled = pending || rest.disabled;
  const onClick = useKeptFocus(disabled, rest.onClick);
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
        onClick={onClick}
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

/**
 * A disabled button loses the focus; the clicked one gets it back once it is enabled. The page follows it for who goes by
 * keyboard. Others stay where they have scrolled meanwhile, and where the list has taken the button elsewhere.
 */
function useKeptFocus(disabled: boolean | undefined, onClick: Props["onClick"]) {
  const pressed = useRef<{ button: HTMLButtonElement; byPointer: boolean } | null>(null);
  useEffect(() => {
    if (disabled || !pressed.current) return;
    const { button, byPointer } = pressed.current;
    if (document.activeElement === document.body) button.focus({ preventScroll: byPointer });
    pressed.current = null;
  }, [disabled]);
  return (event: MouseEvent<HTMLButtonElement>) => {
    // The click of a key has no detail.
    pressed.current = { button: event.currentTarget, byPointer: event.detail > 0 };
    onClick?.(event);
  };
}

export function buttonClasses(variant: ButtonVariant = "secondary", size: ButtonSize = "md"): string {
  return classes("button", size !== "md" && `button-${size}`, variant !== "secondary" && `button-${variant}`);
}
