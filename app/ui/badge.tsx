import type { ReactNode } from "react";

/** How each looks is in tailwind.css, by these names. */
export type Tone = "neutral" | "brand" | "ok" | "emerald" | "warn" | "bad" | "lit" | "outline" | "dashed";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={`badge badge-${tone}`}>
      {icon}
      <b>{children}</b>
    </span>
  );
}
