import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useOrganization } from "#app/components/organization";
import { grouped } from "#domain/counted";
import { classes } from "#app/ui/classes";

/**
 * How many alarms nobody has seen to, beside their entry. It is asked for again whenever the screen's lists are. In the bar
 * of a phone there is no room for its word.
 */
export function OpenAlarms({ className, isShort = false }: { className?: string; isShort?: boolean }) {
  const organization = useOrganization();
  const { state } = useRevalidator();
  const [later, setLater] = useState<{ of: typeof organization; count: number | null } | null>(null);

  useEffect(() => {
    if (state !== "loading") return;
    countNow()
      .then((count) => setLater({ of: organization, count }))
      // The next time will do.
      .catch(() => undefined);
  }, [state, organization]);

  // What the layout brings is newer: somebody has just acknowledged one.
  const count = (later?.of === organization ? later.count : null) ?? organization.open_alarms;
  if (!count) return null;
  return (
    <span
      title="Alarms that nobody has acknowledged"
      className={classes(
        "bg-bad text-bad-ink rounded-full px-2 text-xs leading-5 font-semibold tabular-nums",
        className ?? "ml-auto",
      )}
    >
      {grouped(count)}
      <span className={isShort ? "sr-only" : undefined}> open</span>
    </span>
  );
}

let asked: Promise<number | null> | null = null;

/** One call for all places that show the number. */
function countNow(): Promise<number | null> {
  asked ??= fetch("/alarms/count", { redirect: "manual" })
    .then((answer) => answer.json())
    .then((count: unknown) => (typeof count === "number" ? count : null))
    .finally(() => (asked = null));
  return asked;
}
