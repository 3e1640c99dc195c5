import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { useNoScript } from "#app/ui/no-script";

type View = { to: string; label: ReactNode; icon: ReactNode; isCurrent: boolean; onChoose?: () => void };

type Props = { views: View[]; needScript?: boolean; discover?: "render" | "none" };

/**
 * The views of one screen, as links. Without script there is one view only, unless each works without it. `discover` is
 * none where the views are one route. It stands among the routes, as a screen that is no list loads no list's code.
 */
export function ViewSwitch({ views, needScript = true, discover = "render" }: Props) {
  const noScript = useNoScript();
  if (noScript && needScript) return null;
  return (
    <nav aria-label="View" className="bg-sunken flex gap-0.5 rounded-lg p-0.5">
      {views.map(({ to, label, icon, isCurrent, onChoose }) => (
        <Link
          key={to}
          to={to}
          preventScrollReset
          discover={discover}
          onClick={onChoose}
          aria-current={isCurrent ? "true" : undefined}
          className="text-ink-soft aria-[current]:bg-surface aria-[current]:text-ink aria-[current]:border-line flex h-10 items-center gap-1.5 rounded-md border border-transparent px-3 font-medium sm:h-8"
        >
          {icon}
          {label}
        </Link>
      ))}
    </nav>
  );
}
