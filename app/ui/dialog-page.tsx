import { useId, type ReactNode } from "react";

type Props = { title: string; description: ReactNode; children: ReactNode };

/**
 * A dialog without script replaces the page, which no-script.css hides. With script, where the dialog's own code cannot be
 * had, it covers the page: at its place it would stand below a list, where nobody looks.
 */
export function DialogPage({ title, description, children }: Props) {
  const id = useId();
  return (
    <section ref={focus} tabIndex={-1} data-dialog-page aria-labelledby={id}>
      <header>
        <h1 id={id}>{title}</h1>
        <div>{description}</div>
      </header>
      {children}
    </section>
  );
}

const focus = (page: HTMLElement | null) => page?.focus();
