import { useEffect, useRef, type ComponentProps, type MouseEvent, type ReactNode } from "react";
import { classes } from "#app/ui/classes";
import { Spinner } from "#app/ui/spinner";

export type ButtonLook = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md" | "icon";

type Props = ComponentProps<"button"> & { look?: ButtonLook; size?: ButtonSize; pending?: boolean; icon?: ReactNode };

/** While pending it is disabled and its icon becomes a spinner; the caller changes the label. */
export function Button({ look = "secondary", size = "md", pending = false, icon, children, ...rest }: Props) {
  const disabled = pending || rest.disabled === true;
  const keepsFocus = useKeptFocus(disabled, rest.onClick);
  return (
    <button
      type="button"
      {...rest}
      {...keepsFocus}
      disabled={disabled}
      aria-busy={pending || undefined}
      className={classes(buttonClasses(look, size), rest.className)}
    >
      {pending ? <Spinner /> : icon}
      {children}
    </button>
  );
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
