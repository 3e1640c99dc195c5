import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { AccessDenied } from "#app/components/access-denied";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { NameLink, Trail } from "#app/components/page-links";
import { answer } from "#app/forms/form-answer";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { StoredSettings } from "#app/forms/settings-form";
import { deferred } from "#app/router/deferred";
import { logFailure } from "#app/router/log-failure";
import { isAnotherList } from "#app/router/view";
import { requireUser } from "#app/session/session";
import { can } from "#domain/organization/permissions";
import { Webhooks } from "./webhooks";
import { webhookHandlers } from "./webhook-handlers";
import { EmailTestForm } from "./email-test";
import { emailHandlers } from "./email-handlers";
import { MessageForm } from "./message-form";
import { WhoHears } from "./who-hears";

export const meta: MetaFunction = () => [{ title: "Messages · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  load: "Failed to fetch the message settings",
  save: "Failed to save the message settings",
  test: "Failed to send the test",
  create: "Failed to save webhook",
  save_webhook: "Failed to save webhook",
  rotate: "Failed to make a new secret",
  test_webhook: "Failed to send the test",
  remove: "Failed to delete webhook",
  send_again: "Failed to send it again",
};

export async function loader(args: LoaderFunctionArgs) {
  const { user, services } = await requireUser(args);
  if (!can(user, "messages.see")) return null;
  const missing = (error: unknown) => (logFailure(error), null);
  const warning = await services.messageChoices.warning().catch(missing);
  const people = deferred(services.messageChoices.everyone());
  if (!can(user, "settings.edit")) return { warning, people, setup: null };
  const setup = {
    email: user.email,
    settings: deferred(services.messageSettings.find()),
    webhooks: deferred(services.webhooks.list()),
    deliveries: deferred(services.webhooks.deliveries({ limit: "30" })),
  };
  return { warning, people, setup };
}

export async function action(args: ActionFunctionArgs) {
  const { user, services } = await requireUser(args);
  const form = await args.request.formData();
  return answer(user, form, { ...emailHandlers(services, form), ...webhookHandlers(services, form) }, FAILED);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Messages() {
  const loaded = useLoaderData<typeof loader>();
  if (!loaded) {
    return (
      <>
        <Header />
        <AccessDenied capability="messages.see" />
      </>
    );
  }
  const { setup, people, warning } = loaded;
  return (
    <>
      <Trail>{setup ? <NameLink to="/settings">Settings</NameLink> : <NameLink to="/account">Account</NameLink>}</Trail>
      <Header />
      {setup && (
        <StoredSettings settings={setup.settings} failed={FAILED.load}>
          {(stored) => (
            <>
              <MessageForm stored={stored} />
              <EmailTestForm own={setup.email} isOn={stored.EMAIL_PROVIDER !== "off"} />
            </>
          )}
        </StoredSettings>
      )}
      <WhoHears people={people} warning={warning} />
      {setup && <Webhooks webhooks={setup.webhooks} deliveries={setup.deliveries} />}
    </>
  );
}

const Header = () => <PageHeader title="Messages" text="How alarms reach people and other systems, beside SMS" />;

export const ErrorBoundary = () => <Failure screen="Messages" text={FAILED.load} />;
