import { useRevalidator } from "@remix-run/react";
import { useState } from "react";
import { isThere } from "#app/router/connection";

/** Tries an unreachable server again and reloads the screen's lists if it answers. */
export function useRetry() {
  const { revalidate, state } = useRevalidator();
  const [asking, setAsking] = useState(false);
  async function retry() {
    setAsking(true);
    if (await isThere()) revalidate();
    setAsking(false);
  }
  return { retrying: asking || state !== "idle", retry: () => void retry() };
}
