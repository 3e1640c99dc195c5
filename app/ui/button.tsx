import { useEffect, useId, useRef, type ComponentProps, type MouseEvent, type ReactNode } from "react";
import { toast } from "sonner";
import { classes } from "#app/ui/classes";
import { useNoScript } from "#app/ui/no-script";
import { Spinner } from "#app/ui/spinner";

export type ButtonLook = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "icon";

type Props = ComponentProps<"button"> & {
  look?: ButtonLook;
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
export function Button({ look = "secondary", size = "md", pending = false, icon, why, children, ...rest }: Props) {
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
        type="button"
        {...rest}
        {...keepsFocus}
        {...reason}
        disabled={disabled || (noScript && Boolean(why))}
        aria-busy={pending || undefined}
        className={classes(buttonClasses(look, size), rest.className)}
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

export function buttonClasses(look: ButtonLook = "secondary", size: ButtonSize = "md"): string {
  return classes(
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-md border font-medium whitespace-nowrap",
    "transition-colors select-none disabled:cursor-not-allowed disabled:opacity-55",
    "aria-disabled:cursor-not-allowed aria-disabled:opacity-55",
    SIZES[size],
    LOOKS[look],
  );
}

const SIZES: Record<ButtonSize, string> = {
  sm: "h-11 px-3 text-sm sm:h-8",
  md: "h-11 px-4 text-sm sm:h-9",
  icon: "size-11 sm:size-8",
};

const LOOKS: Record<ButtonLook, string> = {
  primary: "border-transparent bg-brand text-brand-ink enabled:hover:bg-brand-strong",
  secondary:
    "border-line bg-surface text-ink enabled:hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-text",
  ghost: "border-transparent bg-transparent text-ink-soft enabled:hover:bg-sunken enabled:hover:text-ink",
  danger: "border-transparent bg-bad text-bad-ink enabled:hover:bg-bad-strong",
};
