import { grouped } from "#domain/counted";
import { Form, Link } from "@remix-run/react";
import { Search } from "#app/ui/icons";
import type { ReactNode } from "react";
import { FilterPanel, type Filter } from "#app/lists/filter-panel";
import { KeptFields, keptOf } from "#app/lists/kept-fields";
import { useListFilters } from "#app/lists/use-list-filters";
import { classes } from "#app/ui/classes";

/** A list this short needs no search tools; those that are there stay under the hands that have emptied the search. */
const FEW = 12;

type Props = {
  /** 'Search devices'. */
  label: string;
  /** The number of rows without and with search and filters. A log is not counted: of it are told the rows on the page. */
  count: { all: number } & ({ total: number } | { shown: number });
  filters: Filter[];
  /** More tools for the list. */
  children?: ReactNode;
};

/**
 * Search, filters and sort order of a list. They live in the query string, so that a view can be linked and the back
 * button works, and it is a form that works before the script has loaded. Hidden for a short list.
 */
export function ListTools({ label, count, filters, children }: Props) {
  const { asked, isComing, form, input, onChange, onSubmit } = useListFilters();
  const inUse = filters.filter(({ name }) => name !== "sort" && asked.has(name)).length;
  const isNarrowed = inUse > 0 || asked.has("q");
  if (count.all <= FEW && !isNarrowed && !input.current) return null;

  const own = ["q", ...filters.map(({ name }) => name)];
  return (
    <div className="relative mb-4 flex flex-wrap items-center gap-2">
      <Form
        ref={form}
        role="search"
        className="flex min-w-0 flex-1 basis-48 gap-2 sm:relative sm:max-w-md"
        onChange={onChange}
        onSubmit={onSubmit}
      >
        <KeptFields asked={asked} own={own} />
        <div className="relative min-w-0 grow">
          <Search className="text-ink-faint pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2" />
          <input
            ref={input}
            type="search"
            name="q"
            aria-label={label}
            placeholder={label}
            maxLength={200}
            autoComplete="off"
            defaultValue={asked.get("q") ?? ""}
            className="control h-11 pl-9 sm:h-9"
          />
        </div>
        <FilterPanel filters={filters} asked={asked} count={inUse} />
      </Form>
      {children}
      <div className={isNarrowed ? "text-ink-soft flex items-center gap-3 max-sm:basis-full sm:ml-auto" : "sr-only"}>
        {/* It is there before its words come. What it says of the rows before these is not said again. */}
        <p role="status" className={classes(isComing && "invisible", "shown" in count && "sr-only")}>
          {isNarrowed && <Found count={count} />}
        </p>
        {isNarrowed && (
          <Link
            to={`?${new URLSearchParams(keptOf(asked, own))}`}
            className="text-brand-text -my-1.5 py-3 font-medium hover:underline"
          >
            Show all
          </Link>
        )}
      </div>
    </div>
  );
}

/** In words that say something alone, too: a screen reader tells only these. */
function Found({ count }: Pick<Props, "count">) {
  if ("shown" in count) return `${count.shown} shown`;
  return (
    <>
      <span>{`${grouped(count.total)} of ${grouped(count.all)}`}</span> <span className="sr-only">found</span>
    </>
  );
}
