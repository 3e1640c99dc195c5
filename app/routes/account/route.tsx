import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { useOrganization } from "#app/components/organization";
import { Failure } from "#app/components/failure";
import { PageHeader } from "#app/components/page-header";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { answer, text } from "#app/forms/form-answer";
import { inputOf } from "#app/forms/form-fields";
import { accountHandlers } from "#app/session/account-actions";
import { ACCOUNT_FAILED } from "#app/session/account-fallbacks";
import { RedeemForm } from "#app/session/redeem-form";
import { isAnotherList } from "#app/router/view";
import { searchKeyCookie } from "#app/session/search-key";
import { requireUser } from "#app/session/session";
import { secondFactorRemove } from "#domain/organization/login-schema";
import { Card } from "#app/ui/card";
import { useNoScript } from "#app/ui/no-script";
import { messageHandlers } from "./message-handlers";
import { OwnMessages } from "./own-messages";
import { OwnShortcuts } from "./own-shortcuts";
import { OwnSessions } from "./own-sessions";
import { OwnSecondFactor } from "./own-second-factor";

export const meta: MetaFunction = () => [{ title: "Account · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = {
  ...ACCOUNT_FAILED,
  end: "Failed to end the session",
  remove: "Failed to switch it off",
  save_messages: "Failed to save your messages",
  save_shortcuts: "Failed to save your shortcuts",
  test_messages: "Failed to send the test",
};

export async function loader(args: LoaderFunctionArgs) {
  const { account, services } = await requireUser(args);
  const [sessions, second_factor, choice, ways] = await Promise.all([
    account.sessions(),
    account.secondFactor(),
    services.messageChoices.find(),
    services.messageChoices.ways(),
  ]);
  return { sessions, second_factor, choice, ways };
}

export async function action(args: ActionFunctionArgs) {
  const { user, account, services } = await requireUser(args);
  const form = await args.request.clone().formData();
  const headers = new Headers();
  const handlers = {
    ...accountHandlers(account, form, headers),
    ...messageHandlers(services, form),
    end: { run: () => account.endSession(text(form, "id")), done: "Session ended" },
    remove: {
      run: () => account.removeSecondFactor(inputOf(form, secondFactorRemove)),
      done: "Second factor switched off",
    },
    save_shortcuts: {
      run: async () => headers.append("Set-Cookie", searchKeyCookie(form.has("key"))),
      done: "Your shortcuts are saved",
    },
  };
  return answer(user, form, handlers, FAILED, headers);
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Account() {
  const { sessions, second_factor, choice, ways } = useLoaderData<typeof loader>();
  const { user } = useOrganization();
  const noScript = useNoScript();
  return (
    <>
      <PageHeader title="Account" text={user.email} wraps />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Part title="Messages" text="How you hear of alarms in this organization">
          <OwnMessages choice={choice} ways={ways} />
        </Part>
        <div className="flex flex-col gap-4">
          <Part title="Sessions" text="Where you are signed in">
            <OwnSessions sessions={sessions} />
          </Part>
          <Part title="Second factor" text="A code from your phone beside your password">
            <OwnSecondFactor {...second_factor} />
          </Part>
          <Part title="Join an organization" text="With the one-time code of your invitation">
            <RedeemForm org_id={user.current_org_id} />
          </Part>
          {!noScript && (
            <Part title="Keyboard" text="Shortcuts in this browser">
              <OwnShortcuts />
            </Part>
          )}
        </div>
      </div>
    </>
  );
}

function Part({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <Card aria-label={title} className="min-w-0 p-4 sm:p-5">
      <h2 className="text-base font-semibold">{title}</h2>
      <p className="text-ink-soft mb-4">{text}</p>
      {children}
    </Card>
  );
}

export const ErrorBoundary = () => <Failure screen="Account" text="Failed to load your account" />;
