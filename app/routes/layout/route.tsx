import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { Suspense, useState } from "react";
import { useLoaderData, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { isLayoutBehind, useIsLost } from "#app/router/connection";
import { useLive } from "#app/live/use-live";
import { useArrivals } from "#app/router/arrivals";
import { useFreshLists } from "#app/router/freshness";
import { OrganizationProvider } from "#app/components/organization";
import { wasRefused } from "#app/forms/catch-network-error";
import { logFailure } from "#app/router/log-failure";
import { useStoredLogin } from "#app/session/stored-login";
import { wasSent } from "#app/router/view";
import { choicesOfPage } from "#app/routes/choices/every-choice";
import { dependentsOfPage } from "#app/routes/dependents/of-page";
import { hasSearchKey } from "#app/session/search-key";
import { requireUser } from "#app/session/session";
import { offsetsAbout, seedOffsets } from "#domain/time/wall-clock";
import { BottomBar } from "./bottom-bar";
import { DialogForm } from "./dialog-form";
import { PasswordDialog } from "./password-dialog";
import { Screen } from "./screen";
import { Sidebar } from "./sidebar";
import { VERSION } from "#domain/version";
import { TopBar } from "./top-bar";
import { onDemand } from "#app/ui/on-demand";

/** Loaded after the page, to keep it out of every first load. */
const OfflineBar = onDemand(() => import("./offline-bar"));
const IdleWatch = onDemand(() => import("./idle-watch"));
const LeaveQuestion = onDemand(() => import("./leave-question"));
const Wayfinding = onDemand(() => import("./wayfinding"));

export async function loader(args: LoaderFunctionArgs) {
  const { user, token, idle_min, services } = await requireUser(args);
  const missing = (error: unknown) => (logFailure(error), null);
  // Without these every screen works, and lights are switched: no form saves over a department that it cannot name.
  const departments = services.departments.list().catch(missing);
  const alarms = services.alarms.openCount().catch(missing);
  const { APP_TIMEZONE: zone, PROVIDER_MODE: mode } = await services.settings.find();
  const [choices, dependents] = await Promise.all([
    choicesOfPage(services, args.request),
    dependentsOfPage(services, args.request),
  ]);
  const loaded_at = Date.now();
  const offsets = offsetsAbout(zone, loaded_at);
  const lists = { departments: await departments, open_alarms: await alarms, choices, dependents };
  const search_key = hasSearchKey(args.request);
  return { user, token, idle_min, ...lists, zone, loaded_at, offsets, mode, search_key };
}

/** Polling does not reload this: the person and the organization change by forms, or the server tells of it. */
export function shouldRevalidate(args: ShouldRevalidateFunctionArgs) {
  return !wasRefused(args) && (isLayoutBehind() || (wasSent(args) && args.defaultShouldRevalidate));
}

export default function Layout() {
  // Passed on unchanged, since a new object would render every consumer at each step of every request.
  const organization = useLoaderData<typeof loader>();
  const { token, user, idle_min, zone, offsets } = organization;
  seedOffsets(zone, offsets);
  useStoredLogin(token, user);
  useFreshLists();
  useArrivals();
  useLive(organization);
  const isLost = useIsLost();
  const [isMenuOpen, setMenu] = useState(false);
  return (
    <OrganizationProvider value={organization}>
      <a
        href="#main"
        className="bg-brand text-brand-ink fixed top-2 left-2 z-50 -translate-y-20 rounded-md px-3 py-2 focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
        <aside aria-label="Sidebar" className="sticky top-0 hidden h-dvh lg:block">
          <Sidebar />
        </aside>
        <div className="flex min-h-dvh min-w-0 flex-col pb-[var(--bottom-bar)]">
          <TopBar isMenuOpen={isMenuOpen} setMenu={setMenu} />
          <Suspense>
            <OfflineBar />
          </Suspense>
          <main
            id="main"
            data-offline={isLost || undefined}
            tabIndex={-1}
            className="mx-auto w-full max-w-[100rem] flex-1 px-3 py-4 outline-none sm:px-6 sm:py-6"
          >
            <Screen />
            <PasswordDialog />
            <Suspense>
              <IdleWatch idle_min={idle_min} />
            </Suspense>
            <Suspense>
              <LeaveQuestion />
            </Suspense>
          </main>
          <Suspense>
            <Wayfinding />
          </Suspense>
          <DialogForm />
          <footer className="text-ink-faint px-6 py-4 text-center text-xs">Lamplighter v{VERSION}</footer>
          <BottomBar onMenu={() => setMenu(true)} />
        </div>
      </div>
    </OrganizationProvider>
  );
}
