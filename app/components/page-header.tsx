import type { ReactNode } from "react";

export function PageHeader({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <header className="mb-4 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:mb-5 sm:items-end">
      <div className="flex-1 basis-40">
        <h1 className="whitespace-nowrap text-xl font-semibold tracking-tight sm:text-2xl">{title}</h1>
        {text && <p className="text-ink-soft mt-0.5">{text}</p>}
      </div>
      <div className="flex flex-wrap gap-2 empty:hidden">{children}</div>
    </header>
  );
}
