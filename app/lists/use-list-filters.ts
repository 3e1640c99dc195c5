import { useLocation, useNavigation, useSearchParams } from "@remix-run/react";
import { useEffect, useRef, type FormEvent } from "react";
import { useIsLost } from "#app/router/connection";
import { viewOf } from "#app/router/view";

const TYPING_MS = 250;

/**
 * Syncs a list's filter form with the query string: a select or a day applies at once, typing after a pause. `amend` can drop a
 * filter that no longer fits the others.
 */
export function useListFilters({ amend }: { amend?: (wanted: URLSearchParams) => void } = {}) {
  const here = useLocation();
  const { location: next } = useNavigation();
  const [, setSearch] = useSearchParams();
  const isComing = next?.pathname === here.pathname;
  const asked = viewOf(new URLSearchParams((isComing ? next : here).search));
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  // Of this screen, not of what is coming: that may get no answer, and what was typed for it stays.
  const q = new URLSearchParams(here.search).get("q") ?? "";
  const sent = useRef(q);
  const isLost = useIsLost();

  useEffect(() => () => clearTimeout(timer.current), []);
  // A link or the back button has changed the search.
  useEffect(() => {
    if (q === sent.current || !input.current) return;
    sent.current = q;
    input.current.value = q;
  }, [q]);

  // What was typed before this script ran, or while the server did not answer.
  useEffect(() => {
    const fields = form.current?.querySelectorAll("input") ?? [];
    if (!isLost && [...fields].some((field) => field.value.trim() !== field.defaultValue && !isHalfTyped(field)))
      send();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only then
  }, [isLost]);

  function send() {
    clearTimeout(timer.current);
    if (!form.current) return;
    const wanted = new URLSearchParams();
    for (const [name, value] of new FormData(form.current)) {
      if (typeof value === "string" && value.trim()) wanted.set(name, value.trim());
    }
    amend?.(wanted);
    sent.current = wanted.get("q") ?? "";
    // Typing a search creates a single history entry.
    const isMoreTyping = asked.has("q") && wanted.has("q") && asked.get("q") !== wanted.get("q");
    setSearch(wanted, { replace: isMoreTyping, preventScrollReset: true });
  }

  return {
    asked,
    /** Whether the rows that are asked for have still to come. */
    isComing,
    form,
    input,
    onChange: (event: FormEvent) => {
      if (isHalfTyped(event.target)) return;
      if (event.target !== input.current) return send();
      clearTimeout(timer.current);
      timer.current = setTimeout(send, TYPING_MS);
    },
    onSubmit: (event: FormEvent) => {
      event.preventDefault();
      send();
    },
  };
}

/** The first digits of a year that is typed make a date, too: of the year 2, 20 or 202. */
function isHalfTyped(field: EventTarget): boolean {
  return field instanceof HTMLInputElement && field.type === "date" && field.value !== "" && field.value < "1000";
}
