import { ButtonLink } from "#app/components/button-link";
import { ChevronLeft, ChevronRight } from "#app/ui/icons";

/** `previous` and `next` are also what the keys [ and ] look for. */
type Props = { to: string; side: "previous" | "next"; label: string; preventScrollReset?: boolean };

/** The way to the night or the week beside the one that is shown. */
export function Step({ to, side, label, preventScrollReset }: Props) {
  const Icon = side === "previous" ? ChevronLeft : ChevronRight;
  return (
    <ButtonLink
      to={to}
      preventScrollReset={preventScrollReset}
      variant="ghost"
      data-night={side}
      aria-label={label}
      className="px-2"
      icon={<Icon className="size-4" />}
    />
  );
}
