import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { AccessDenied } from "#app/components/access-denied";
import { Failure } from "#app/components/failure";
import { Note } from "#app/components/note";
import { PageHeader } from "#app/components/page-header";
import { ButtonLink } from "#app/components/button-link";
import { logFailure } from "#app/router/log-failure";
import { Mail, Router } from "#app/ui/icons";
import { Section, StoredSettings } from "#app/forms/settings-form";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { answer, type Outcome } from "#app/forms/form-answer";
import { asList, asNumber, asText, settingsOf } from "#app/forms/form-fields";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { can } from "#domain/organization/permissions";
import type { SystemSettings } from "#domain/records/records";
import { toLocalInput } from "#domain/time/display";
import { calendarHandlers } from "./calendar-handlers";
import { Calendars } from "./calendars";
import { SystemForm } from "./system-form";

export const meta: MetaFunction = () => [{ title: "Settings · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  load: "Failed to fetch settings",
  save: "Failed to save settings",
  create_calendar: "Failed to save calendar",
  save_calendar: "Failed to save calendar",
  import_calendar: "Failed to import the dates",
  remove_calendar: "Failed to delete calendar",
};

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "settings.edit")) return null;
  const missing = (error: unknown) => (logFailure(error), null);
  const [{ APP_TIMEZONE }, warning] = await Promise.all([
    services.settings.find(),
    services.hubs.warning().catch(missing),
  ]);
  return {
    warning,
    settings: deferred(services.settings.findSystem()),
    calendars: deferred(services.calendars.list()),
    today: toLocalInput(Date.now(), APP_TIMEZONE).date,
  };
}

/** A key goes to no other address than the one that it was typed for, and a position is one place. */
const TOGETHER = [
  ["YOLINK_UAC_KEY", "YOLINK_CLOUD_BASE"],
  ["CITY_LAT", "CITY_LON"],
] as const;

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const settings = () =>
    settingsOf<keyof SystemSettings>(
      form,
      {
        YOLINK_UAC_KEY: asText,
        YOLINK_CLOUD_BASE: asText,
        PROVIDER_MODE: asText,
        APP_TIMEZONE: asText,
        HUB_CHECK_INTERVAL_SEC: asNumber,
        HUB_OFFLINE_ALERT_MIN: asNumber,
        SESSION_IDLE_MIN: asNumber,
        SECOND_FACTOR_ROLES: asList,
        CITY_LAT: asText,
        CITY_LON: asText,
      },
      TOGETHER,
    );
  const handlers = {
    save: { run: async () => saved(await services.settings.saveSystem(settings())) },
    ...calendarHandlers(services, form),
  };
  return answer(user, form, handlers, FAILED);
}

function saved(warning: string | null): Outcome {
  return { ok: true, toast: "Settings saved successfully", detail: warning };
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Settings() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Settings" text="How the lights are reached, and how every time is shown" />
      {loaded ? (
        <>
          <StoredSettings settings={loaded.settings} failed={FAILED.load}>
            {(stored) => <SystemForm stored={stored} />}
          </StoredSettings>
          <Section
            title="On-site Agents"
            text="Small computers beside the hubs, which reach them on their private network and keep tonight's plan"
            className="mt-6"
          >
            {loaded.warning && <Note>{loaded.warning}</Note>}
            <ButtonLink
              to="/settings/agents"
              prefetch="intent"
              icon={<Router className="size-4" />}
              className="self-start"
            >
              Manage Agents
            </ButtonLink>
          </Section>
          <Section
            title="Messages"
            text="How alarms reach people and other systems: e-mail and webhooks beside SMS"
            className="mt-4"
          >
            <ButtonLink
              to="/settings/messages"
              prefetch="intent"
              icon={<Mail className="size-4" />}
              className="self-start"
            >
              Manage Messages
            </ButtonLink>
          </Section>
          <Calendars calendars={loaded.calendars} today={loaded.today} />
        </>
      ) : (
        <AccessDenied capability="settings.edit" />
      )}
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Settings" text={FAILED.load} />;
