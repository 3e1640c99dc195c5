import { Link } from "@remix-run/react";
import { useId, type ReactNode } from "react";
import { areaHref, NameLink } from "#app/components/page-links";
import type { OnNow as Lit } from "#domain/alarms/attention";
import { counted, grouped } from "#domain/counted";

type Props = {
  lit: Lit;
  /** The link to all that is on. */
  all: { to: string; label: string };
  /** A line below, such as the limits in force. */
  children?: ReactNode;
};

/** What is on now: the areas with the most lit lights, with what they are lit for and until when. */
export function OnNow({ lit: { areas, on, in_areas }, all, children }: Props) {
  const heading = useId();
  const more = in_areas - areas.length;
  return (
    <section aria-labelledby={heading} className="panel">
      <header>
        <h2 id={heading}>On now</h2>
        <p>{on === 0 ? "No light is on" : `${counted(on, "light")} in ${counted(in_areas, "area")}`}</p>
        <span>
          <Link to={all.to} prefetch="intent">
            {all.label}
          </Link>
        </span>
      </header>
      {areas.length > 0 && (
        <ul aria-labelledby={heading} className="lit-areas">
          {areas.map((area) => (
            <li key={area.id}>
              <NameLink to={areaHref(area.id)}>{area.name}</NameLink>
              <span>{`${grouped(area.on)}/${grouped(area.all)}`}</span>
              <p>{area.why}</p>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <p className="text-ink-soft px-4 pb-2.5">and {counted(more, "more area")}</p>}
      {children}
    </section>
  );
}
