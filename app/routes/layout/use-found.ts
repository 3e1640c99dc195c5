import { useEffect, useState } from "react";
import { useJson, useLatest } from "#app/router/use-json";
import type { Hit } from "#domain/records/hit";

const TYPING_MS = 120;

/** The server's hits for the typed text; until it answers, the earlier hits that still match. */
export function useFound(typed: string): { hits: Hit[]; state: "known" | "asking" | "failed" } {
  const q = typed.trim();
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const typing = setTimeout(() => setAsked(q), TYPING_MS);
    return () => clearTimeout(typing);
  }, [q]);
  const found = useJson<Hit[]>(asked === "" ? null : `/find?${new URLSearchParams({ q: asked })}`);
  const latest = useLatest(found) ?? [];

  if (q === "") return { hits: [], state: "known" };
  if (asked === q && found) return { hits: found, state: "known" };
  if (asked === q && found === null) return { hits: [], state: "failed" };
  return { hits: latest.filter(({ name }) => name.toLowerCase().includes(q.toLowerCase())), state: "asking" };
}
