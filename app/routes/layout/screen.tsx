import { Outlet, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { DashboardHeader } from "#app/routes/dashboard/dashboard-header";
import { DashboardSkeleton } from "#app/routes/dashboard/dashboard-skeleton";
import { LoadingBlock } from "#app/ui/spinner";

/** A screen that comes sooner needs no placeholder: it would only flicker. */
const SOON_MS = 200;

/** The screen; or, in its place, that another is on its way: a slow line must not look like a press that did nothing. */
export function Screen() {
  const late = useLate(usePathUnderWay());
  if (late === null) return <Outlet />;
  if (late !== "/" && late !== "/dashboard") return <LoadingBlock label="Loading..." />;
  return (
    <>
      <DashboardHeader />
      <DashboardSkeleton />
    </>
  );
}

function usePathUnderWay(): string | null {
  const { state, location } = useNavigation();
  const here = useLocation().pathname;
  return state === "loading" && location.pathname !== here ? location.pathname : null;
}

/** The path once it has been under way for a while. */
function useLate(path: string | null): string | null {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLate(path), path === null ? 0 : SOON_MS);
    return () => clearTimeout(timer);
  }, [path]);
  return late === path ? late : null;
}
