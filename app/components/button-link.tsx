import { Link } from "@remix-run/react";
import type { ComponentProps, ReactNode } from "react";
import { buttonClasses, type ButtonVariant } from "#app/ui/button";
import { classes } from "#app/ui/classes";

type Props = ComponentProps<typeof Link> & { variant?: ButtonVariant; icon?: ReactNode };

/** A link that looks like a button: it leads somewhere, and changes nothing here. */
export function ButtonLink({ variant = "secondary", icon, className, children, ...rest }: Props) {
  return (
    <Link {...rest} className={classes(buttonClasses(variant), HOVER[variant], className)}>
      {icon}
      {children}
    </Link>
  );
}

/** A link is never disabled, so `enabled:hover` does not hold for it. */
const HOVER: Partial<Record<ButtonVariant, string>> = {
  secondary: "hover:bg-sunken",
  primary: "hover:bg-brand-strong",
};
