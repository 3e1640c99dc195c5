import { grouped } from "#domain/counted";
import { Link } from "@remix-run/react";
import { useEffect, useRef, useState } from "react";
import { ChevronDown, MapPin, Search } from "#app/ui/icons";
import { buttonClasses } from "#app/ui/button";
import { classes } from "#app/ui/classes";
import { useNoScript } from "#app/ui/no-script";
import { useClosing } from "#app/ui/use-closing";
import type { Week } from "#app/week/week";
import { counted } from "#domain/counted";
import { placeIn, weekHref } from "./week-links";

/** A list this short needs no search. */
const FEW = 8;
/** As many as one looks through; the others are found by their names. */
const MOST = 60;

/** The area, found by its name where there are many. Each is a link, so that it can be kept. */
export function AreaPicker({ week }: { week: Week }) {
  const { area, areas } = week;
  const details = useClosing();
  const noScript = useNoScript();
  const [wasOpened, setOpened] = useState(noScript);
  const [typed, setTyped] = useState("");
  useEffect(() => {
    if (details.current?.open) setOpened(true); // before this script ran
  }, [details]);
  const found = areas.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  const shown = noScript ? found : found.slice(0, MOST);
  return (
    <details ref={details} className="relative" onToggle={() => setOpened(true)}>
      <summary className={classes(buttonClasses(), "max-w-72 list-none [&::-webkit-details-marker]:hidden")}>
        <MapPin className="size-4 shrink-0" />
        <span className="sr-only">Area: </span>
        <span className="truncate">{area?.name}</span>
        <ChevronDown className="size-4 shrink-0" />
      </summary>
      {wasOpened && (
        <div className="below bg-surface border-line animate-appear absolute left-0 z-20 mt-2 w-72 max-w-[calc(100vw-2rem)] rounded-xl border p-2 shadow-xl">
          {!noScript && areas.length > FEW && (
            <div className="relative mb-2">
              <Search className="text-ink-faint pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
              <input
                type="search"
                aria-label="Find an area"
                placeholder="Find an area"
                autoComplete="off"
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
                className="control h-11 pl-9 sm:h-9"
              />
            </div>
          )}
          <ul aria-label="Areas" className="max-h-80 overflow-y-auto">
            {shown.map(({ id, name }) => (
              <li key={id}>
                <Link
                  to={weekHref({ ...placeIn(week), area: id, group: undefined })}
                  aria-current={id === area?.id ? "true" : undefined}
                  className="hover:bg-sunken aria-[current]:bg-brand-soft aria-[current]:text-brand-text flex min-h-11 items-center rounded-md px-2.5 py-1.5 aria-[current]:font-semibold sm:min-h-9"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
          <p role="status" className="text-ink-soft px-2.5 py-1.5 empty:hidden">
            {shown.length === 0 && "No area has that in its name."}
            {shown.length < found.length && `${grouped(found.length - shown.length)} more: type to find them.`}
          </p>
        </div>
      )}
    </details>
  );
}

/** The area as a whole, or a group of its lights. */
export function GroupLinks({ week }: { week: Week }) {
  const { groups, group } = week;
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    const chosen = nav.current?.querySelector<HTMLElement>("[aria-current]");
    if (nav.current && chosen) nav.current.scrollTop = chosen.offsetTop - nav.current.clientHeight / 2;
  }, [group?.id]);
  if (groups.length === 0) return null;
  const entry = (id: string | undefined, name: string, count: string) => (
    <Link
      key={id ?? ""}
      to={weekHref({ ...placeIn(week), group: id })}
      preventScrollReset
      aria-current={group?.id === id ? "true" : undefined}
      className="border-line text-ink-soft hover:bg-sunken aria-[current]:border-brand aria-[current]:bg-brand-soft aria-[current]:text-brand-text flex min-h-11 items-center rounded-full border px-3 text-sm font-medium sm:min-h-8"
    >
      {name}
      <span className="sr-only">{count}</span>
    </Link>
  );
  return (
    // Of hundreds the first rows, so that the week is still in sight.
    <nav
      ref={nav}
      aria-label="Groups"
      className="relative -m-1 flex max-h-42 min-w-0 flex-wrap gap-1.5 overflow-y-auto p-1"
    >
      {entry(undefined, "All lights", "")}
      {groups.map(({ id, name, lights }) => entry(id, name, `, ${counted(lights, "light")}`))}
    </nav>
  );
}
