import { Outlet, useLocation, useNavigation } from "@remix-run/react";
import { useEffect, useState } from "react";
import { DashboardHeader } from "#app/routes/dashboard/dashboard-header";
import { DashboardSkeleton } from "#app/routes/dashboard/dashboard-skeleton";
import { LoadingBlock } from "#app/ui/spinner";

/** Placeholders for shorter waits would flicker. */
const SOON_MS = 200;

/** The screen, or a placeholder while another one loads, so that a click has a visible effect on a slow line. */
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

/** The path once it has been loading for a while. */
function useLate(path: string | null): string | null {
  const [late, setLate] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setLate(path), path === null ? 0 : SOON_MS);
    return () => clearTimeout(timer);
  }, [path]);
  return late === path ? late : null;
}
