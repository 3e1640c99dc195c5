import { Link } from "@remix-run/react";
import { classes } from "#app/ui/classes";

type Props = { label: string; current: string; tabs: { name: string; label: string }[]; kept?: Record<string, string> };

/** The tabs of one screen. The query string names the open one, by default the first; `kept` are its other parts. */
export function Tabs({ label, current, tabs, kept = {} }: Props) {
  const to = (name: string) => `?${new URLSearchParams({ ...kept, ...(name === tabs[0]?.name ? {} : { tab: name }) })}`;
  return (
    <nav aria-label={label} className="mb-4 flex gap-1 overflow-x-auto shadow-[inset_0_-1px_0_var(--line)] sm:mb-5">
      {tabs.map((tab) => (
        <Link
          key={tab.name}
          to={to(tab.name)}
          prefetch="intent"
          aria-current={tab.name === current ? "page" : undefined}
          className={classes(
            "flex h-11 items-center border-b-2 px-3 font-medium whitespace-nowrap sm:h-10",
            tab.name === current ? "border-brand text-brand-text" : "text-ink-soft hover:text-ink border-transparent",
          )}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
