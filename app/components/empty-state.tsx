import type { IconComponent } from "#app/ui/icons";
import type { ReactNode } from "react";

type Props = { icon: IconComponent; title: string; text?: string; children?: ReactNode };

export function EmptyState({ icon: Icon, title, text, children }: Props) {
  return (
    <div className="border-line flex flex-col items-center gap-2 rounded-xl border border-dashed px-6 py-16 text-center">
      <Icon className="text-ink-faint size-10 stroke-[1.5]" />
      <h2 className="mt-1 text-base font-semibold">{title}</h2>
      {text && <p className="text-ink-soft max-w-md">{text}</p>}
      {children && <div className="mt-3">{children}</div>}
    </div>
  );
}
