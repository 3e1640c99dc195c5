import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { AccessDenied } from "#app/components/access-denied";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { StoredSettings } from "#app/forms/settings-form";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { queryOf } from "#app/router/query";
import { isAnotherList } from "#app/router/view";
import { answer } from "#app/forms/form-answer";
import { asNumber, asSwitch, asText, settingsOf } from "#app/forms/form-fields";
import { requireUser } from "#app/session/session";
import { deferred } from "#app/router/deferred";
import { can } from "#domain/organization/permissions";
import type { GuardrailSettings } from "#domain/records/records";
import { Badge } from "#app/ui/badge";
import { GuardrailForm } from "./guardrail-form";
import { placesOf } from "./places-of";
import { Policies } from "./policies";
import { policyHandlers } from "./policy-handlers";
import { Notifications } from "./notifications";
import { seconds } from "./seconds";

export const meta: MetaFunction = () => [{ title: "Guardrails · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  load: "Failed to load settings",
  save: "Failed to save settings",
  create_policy: "Failed to save policy",
  save_policy: "Failed to save policy",
  remove_policy: "Failed to delete policy",
};

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "guardrails.edit")) return null;
  return {
    settings: deferred(services.settings.findGuardrails()),
    places: deferred(placesOf(services, queryOf(args.request))),
    notifications: deferred(services.notifications.list({ limit: "20" })),
    now: Date.now(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  const settings = () =>
    settingsOf<keyof GuardrailSettings>(form, {
      HARD_CURFEW_OFF: asText,
      BLACKOUT_WINDOW: asText,
      MAX_ON_DURATION_MIN: asNumber,
      WATCHDOG_ENABLED: asSwitch,
      WATCHDOG_INTERVAL_SEC: asNumber,
      YOLINK_VERIFY_DELAY_SEC: asNumber,
      RETRY_BACKOFFS_SEC: seconds,
      NOTIFY_ON_FAIL: asSwitch,
      NOTIFY_SMS_TO: asText,
    });
  const handlers = {
    save: { run: () => services.settings.saveGuardrails(settings()), done: "Settings saved successfully" },
    ...policyHandlers(services, form),
  };
  return answer(user, form, handlers, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Guardrails() {
  const loaded = useLoaderData<typeof loader>();
  return (
    <>
      <PageHeader title="Guardrail Settings" text="Limits that hold whatever a schedule or a person asks for">
        <Badge tone="brand">Org-wide</Badge>
      </PageHeader>
      {loaded ? (
        <>
          <StoredSettings settings={loaded.settings} failed={FAILED.load}>
            {(stored) => <GuardrailForm stored={stored} now={loaded.now} />}
          </StoredSettings>
          <Policies places={loaded.places} />
          <Notifications notifications={loaded.notifications} />
        </>
      ) : (
        <AccessDenied capability="guardrails.edit" />
      )}
    </>
  );
}

export const ErrorBoundary = () => <Failure screen="Guardrail Settings" text={FAILED.load} />;
