import { useRevalidator } from "@remix-run/react";
import { useEffect, useState } from "react";
import { useOrganization } from "#app/components/organization";

/** How many alarms nobody has seen to, beside their entry. It is asked for again whenever the screen's lists are. */
export function OpenAlarms() {
  const organization = useOrganization();
  const { state } = useRevalidator();
  const [later, setLater] = useState<{ of: typeof organization; count: number | null } | null>(null);

  useEffect(() => {
    if (state !== "loading") return;
    fetch("/alarms/count", { redirect: "manual" })
      .then(async (answer) => setLater({ of: organization, count: countIn(await answer.json()) }))
      // The next time will do.
      .catch(() => undefined);
  }, [state, organization]);

  // What the layout brings is newer: somebody has just acknowledged one.
  const count = (later?.of === organization ? later.count : null) ?? organization.open_alarms;
  if (!count) return null;
  return (
    <span className="bg-bad text-bad-ink ml-auto rounded-full px-2 text-xs leading-5 font-semibold tabular-nums">
      {count}
      <span className="sr-only"> open</span>
    </span>
  );
}

function countIn(answer: unknown): number | null {
  return typeof answer === "number" ? answer : null;
}
