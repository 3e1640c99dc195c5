import type { ReactNode } from "react";
import { classes } from "#app/ui/classes";

export type Tone = "neutral" | "brand" | "ok" | "emerald" | "warn" | "bad" | "lit" | "outline" | "dashed";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span
      className={classes(
        "inline-flex min-w-0 items-center gap-1 rounded-full border px-2 align-middle py-0.5 text-xs font-medium [&>svg]:size-3.5 [&>svg]:shrink-0",
        TONES[tone],
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}

const TONES: Record<Tone, string> = {
  neutral: "border-transparent bg-sunken text-ink-soft",
  brand: "border-transparent bg-brand-soft text-brand-text",
  ok: "border-transparent bg-ok-soft text-ok-text",
  emerald: "border-transparent bg-emerald-soft text-emerald-text",
  warn: "border-transparent bg-warn-soft text-warn-text",
  bad: "border-transparent bg-bad-soft text-bad-text",
  lit: "border-lit-line bg-lit text-lit-ink font-bold",
  outline: "border-line-strong bg-transparent text-ink-soft",
  dashed: "border-dashed border-line-strong bg-transparent text-ink-soft",
};
