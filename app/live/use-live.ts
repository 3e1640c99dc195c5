import { useLocation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { useIsBusy } from "#app/router/use-is-busy";
import type { Organization } from "#app/components/organization";

type Listening = Pick<Organization, "user" | "zone">;

/**
 * Keeps the screen up to date by what the server tells, one socket a tab; what else is loaded comes first. Without a
 * socket the lists are polled.
 */
export function useLive({ user: { id, current_org_id, current_dept_id }, zone }: Listening): void {
  const { revalidate } = useRevalidator();
  const isBusy = useIsBusy();
  const { pathname } = useLocation();
  const screen = useRef({ pathname, isBusy: false });
  screen.current = { pathname, isBusy };

  useEffect(() => {
    let end = (): void => {};
    let isOver = false;
    async function begin() {
      await loaded();
      const { connect } = await import("./connect");
      if (isOver) return;
      end = connect({
        zone,
        pathname: () => screen.current.pathname,
        isBusy: () => screen.current.isBusy,
        reload: () => void revalidate(),
      });
    }
    // Offline the code does not come, and the lists are polled.
    begin().catch(() => undefined);
    return () => {
      isOver = true;
      end();
    };
    // Another person, organization or department hears other things.
  }, [revalidate, zone, id, current_org_id, current_dept_id]);
}

function loaded(): Promise<void> {
  if (document.readyState === "complete") return Promise.resolve();
  return new Promise((done) => addEventListener("load", () => done(), { once: true }));
}
