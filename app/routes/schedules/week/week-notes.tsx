import type { ReactNode } from "react";
import { Link } from "@remix-run/react";
import { Note } from "#app/components/note";
import type { Foreseen, Week } from "#app/week/week";

const FORESEEN: Record<Foreseen, string | null> = {
  all: null,
  some: "The place has more lights than can be looked ahead for at once, so some limits may be missing here.",
  away: "The switching engine did not answer. What is planned is shown; what limits cut is not.",
  beyond: "What is planned is shown; what limits cut is not known further than a month ahead.",
};

/** What somebody may not expect of the week. */
export function WeekNotes({ week: { foreseen, area, more } }: { week: Week }) {
  const notes: [string, ReactNode][] = [];
  if (area && !area.active) notes.push(["inactive", `${area.name} is inactive: no schedule switches a light here.`]);
  if (FORESEEN[foreseen] !== null) notes.push(["foreseen", FORESEEN[foreseen]]);
  if (area && more > 0) {
    const list = `/schedules?${new URLSearchParams({ area: area.id })}`;
    notes.push([
      "more",
      <>
        More schedules than fit are planned here. All of them are on{" "}
        <Link to={list} className="font-medium underline">
          the list
        </Link>
        .
      </>,
    ]);
  }
  return notes.map(([key, note]) => (
    <div key={key} className="mb-3">
      <Note>{note}</Note>
    </div>
  ));
}
