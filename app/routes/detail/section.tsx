import { Link } from "@remix-run/react";
import { ChevronRight, type IconComponent } from "#app/ui/icons";
import { useId, type ReactNode } from "react";
import { Card } from "#app/ui/card";

type Props = {
  icon: IconComponent;
  title: string;
  /** The link to the full list. */
  more?: { to: string; label: string };
  children: ReactNode;
};

/** A section of a device's or an area's page. */
export function Section({ icon: Icon, title, more, children }: Props) {
  const heading = useId();
  return (
    <Card aria-labelledby={heading} className="min-w-0">
      <header className="border-line flex flex-wrap items-center justify-between gap-x-3 border-b px-4 py-2.5">
        <h2 id={heading} className="flex items-center gap-2 font-semibold">
          <Icon className="text-ink-faint size-4 shrink-0" />
          {title}
        </h2>
        {more && (
          <Link
            to={more.to}
            prefetch="intent"
            className="text-brand-text flex min-h-11 items-center gap-0.5 text-sm hover:underline sm:min-h-6"
          >
            {more.label}
            <ChevronRight className="size-4" />
          </Link>
        )}
      </header>
      {children}
    </Card>
  );
}

/** Shown in an empty section. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="text-ink-soft px-4 py-3">{children}</p>;
}
