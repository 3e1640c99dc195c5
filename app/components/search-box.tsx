import { useSearchParams } from "@remix-run/react";
import { Search } from "lucide-react";
import { useEffect, useRef } from "react";
import { CONTROL } from "#app/ui/field";
import { classes } from "#app/ui/classes";

const TYPING_MS = 250;

/** Keeps what is searched for in the query string; works as a plain form before the script has arrived. */
export function SearchBox({ label }: { label: string }) {
  const [search, setSearch] = useSearchParams();
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);

  function find(q: string) {
    clearTimeout(timer.current);
    const next = new URLSearchParams(q.trim() ? { q } : undefined);
    timer.current = setTimeout(() => setSearch(next, { replace: true, preventScrollReset: true }), TYPING_MS);
  }

  return (
    <form role="search" className="relative mb-4 w-full sm:max-w-sm" onSubmit={(event) => event.preventDefault()}>
      <Search
        aria-hidden
        className="text-ink-faint pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2"
      />
      <input
        type="search"
        name="q"
        aria-label={label}
        placeholder={label}
        defaultValue={search.get("q") ?? ""}
        onChange={(event) => find(event.currentTarget.value)}
        className={classes(CONTROL, "h-11 pl-9 sm:h-9")}
      />
    </form>
  );
}
