import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import type { Found, Hit } from "#app/routes/find/route";

const TYPING_MS = 120;

/** What the server finds for what is typed; while it is asked, what it found before that still fits. */
export function useFound(typed: string): { hits: Hit[]; state: "known" | "asking" | "failed" } {
  const { data, load } = useFetcher<Found>();
  const q = typed.trim();
  useEffect(() => {
    if (q === "") return;
    const timer = setTimeout(() => load(`/find?${new URLSearchParams({ q })}`), TYPING_MS);
    return () => clearTimeout(timer);
  }, [q, load]);

  if (q === "") return { hits: [], state: "known" };
  if (data?.q === q) return { hits: data.hits ?? [], state: data.hits ? "known" : "failed" };
  const fits = ({ name }: Hit) => name.toLowerCase().includes(q.toLowerCase());
  return { hits: data?.hits?.filter(fits) ?? [], state: "asking" };
}
