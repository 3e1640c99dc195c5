import { useFetcher } from "@remix-run/react";
import { useEffect, useRef } from "react";
import type { Found, Hit } from "#app/routes/find/route";

const TYPING_MS = 120;
const AGAIN_MS = 3_000;

/**
 * The server's hits for the typed text; until it answers, the earlier hits that still match. Retries a failed search.
 */
export function useFound(typed: string): { hits: Hit[]; state: "known" | "asking" | "failed" } {
  const { data, load, state } = useFetcher<Found>();
  const q = typed.trim();
  const isOwed = useRef(false);
  isOwed.current = state === "idle" && (data?.q !== q || data.hits === null);

  useEffect(() => {
    if (q === "") return;
    const ask = () => load(`/find?${new URLSearchParams({ q })}`);
    const first = setTimeout(ask, TYPING_MS);
    const again = setInterval(() => isOwed.current && ask(), AGAIN_MS);
    return () => {
      clearTimeout(first);
      clearInterval(again);
    };
  }, [q, load]);

  if (q === "") return { hits: [], state: "known" };
  if (data?.q === q) return { hits: data.hits ?? [], state: data.hits ? "known" : "failed" };
  const fits = ({ name }: Hit) => name.toLowerCase().includes(q.toLowerCase());
  return { hits: data?.hits?.filter(fits) ?? [], state: "asking" };
}
