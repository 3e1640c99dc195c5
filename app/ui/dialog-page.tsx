import { useId, type ReactNode } from "react";

type Props = { title: string; description: ReactNode; children: ReactNode };

/** A dialog without script. It replaces the page, which no-script.css hides. */
export function DialogPage({ title, description, children }: Props) {
  const id = useId();
  return (
    <section
      data-dialog-page
      aria-labelledby={id}
      className="bg-surface border-line mx-auto w-full max-w-2xl rounded-xl border"
    >
      <header className="border-line border-b px-5 py-4">
        <h1 id={id} className="text-base font-semibold">
          {title}
        </h1>
        <div className="text-ink-soft mt-0.5 text-sm">{description}</div>
      </header>
      {children}
    </section>
  );
}
