import { data, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  Form,
  Link,
  useLoaderData,
  useNavigate,
  type ClientActionFunctionArgs,
  type ShouldRevalidateFunctionArgs,
} from "@remix-run/react";
import { answer, refused, text, type FormAnswer } from "#app/forms/form-answer";
import { wasSent } from "#app/router/view";
import { accountHandlers } from "#app/session/account-actions";
import { ACCOUNT_FAILED } from "#app/session/account-fallbacks";
import { catchLostPassword } from "#app/session/catch-lost-password";
import { RedeemForm } from "#app/session/redeem-form";
import { SecondFactorSetup } from "#app/session/second-factor-setup";
import { requireNewcomer } from "#app/session/session";
import { Refusal } from "#domain/errors";
import type { OrgMembership } from "#domain/records/records";
import { Button, buttonClasses } from "#app/ui/button";
import { FirstPassword } from "./first-password";

export const meta: MetaFunction = () => [{ title: "Welcome · Lamplighter" }];
/**
 * Keeps the form until it is done, since the recovery codes are shown after it. Whoever is led back here on their way to the
 * dashboard has something else to do.
 */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => !wasSent(args);

const FAILED = { ...ACCOUNT_FAILED, change: "Failed to set the password" };
const UNLIKE = "The two passwords are not the same";
const SET_ALREADY = "You have set a password already, be it in another tab. Reload this page to go on with that one.";

export async function loader(args: LoaderFunctionArgs) {
  const { user, restriction } = await requireNewcomer(args);
  const isHere = ({ org_id }: OrgMembership) => org_id === user.current_org_id;
  const organization = user.org_memberships.find(isHere)?.org_name ?? "";
  const others = user.org_memberships.filter((membership) => !isHere(membership));
  return { email: user.email, org_id: user.current_org_id, organization, others, restriction };
}

export async function action(args: ActionFunctionArgs) {
  const { user, account, restriction } = await requireNewcomer(args);
  const form = await args.request.clone().formData();
  if (text(form, "intent") !== "change") {
    const headers = new Headers();
    return answer(user, form, accountHandlers(account, form, headers), FAILED, headers);
  }
  try {
    if (restriction !== "password") throw new Refusal("conflict", SET_ALREADY);
    if (text(form, "new_password") !== text(form, "repeated")) {
      throw new Refusal("invalid", UNLIKE, { fields: { repeated: UNLIKE } });
    }
    const { headers } = await args.context.changePassword(form);
    return data<FormAnswer>({ ok: true, toast: "Password set", detail: null, errors: {} }, { headers });
  } catch (caught) {
    return refused(caught, FAILED.change);
  }
}

export const clientAction = (args: ClientActionFunctionArgs) => catchLostPassword(args, FAILED);

/** What a person must do before anything else. Outside the layout, whose lists would not answer yet. */
export default function Welcome() {
  const due = useLoaderData<typeof loader>();
  return (
    <main className="bg-night text-night-ink flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <div className="flex items-center gap-3">
        <img src="/favicon.svg" alt="" className="size-10 rounded-lg" />
        <span className="text-xl font-semibold tracking-tight">Lamplighter</span>
      </div>
      <div className="bg-surface text-ink border-line w-full max-w-md rounded-2xl border p-6 shadow-2xl sm:p-8">
        <Due {...due} />
        <div className="border-line mt-6 flex items-center justify-between gap-3 border-t pt-4">
          <span className="text-ink-soft min-w-0 truncate">{due.email}</span>
          <Form method="post" action="/sign-out">
            <Button type="submit" variant="ghost" size="sm">
              Sign out
            </Button>
          </Form>
        </div>
      </div>
    </main>
  );
}

function Due({ restriction, org_id, organization, others, email }: ReturnType<typeof useLoaderData<typeof loader>>) {
  const navigate = useNavigate();
  const goOn = () => navigate("/dashboard");
  if (restriction === "password") {
    return (
      <Step title="Choose your password" text={`Your account for ${organization} is ready once you have one.`}>
        <FirstPassword email={email} org_id={org_id} onDone={goOn} />
      </Step>
    );
  }
  if (restriction === "code") {
    return (
      <Step title="Enter your invitation code" text={`You are invited to ${organization}. The code came with it.`}>
        <RedeemForm org_id={org_id} onDone={goOn} />
      </Step>
    );
  }
  if (restriction === "second_factor") {
    return (
      <Step title="Set up your second factor" text={`${organization} requires an authenticator app for your role.`}>
        <SecondFactorSetup org_id={org_id} />
        <Link to="/dashboard" reloadDocument className={`${buttonClasses("secondary")} mt-4`}>
          Continue
        </Link>
        <Elsewhere organizations={others} />
      </Step>
    );
  }
  return (
    <Step title="You are all set" text={`Welcome to ${organization}.`}>
      <Link to="/dashboard" reloadDocument className={buttonClasses("primary")}>
        Continue
      </Link>
    </Step>
  );
}

/** What one organization requires keeps nobody from another: a sign-in leads back to where one was last. */
function Elsewhere({ organizations }: { organizations: OrgMembership[] }) {
  return organizations.map(({ org_id, org_name }) => (
    <form key={org_id} method="post" action="/switch-org" className="mt-2">
      <Button type="submit" name="org_id" value={org_id} className="h-auto min-h-9 py-1 text-left whitespace-normal">
        Work in {org_name} instead
      </Button>
    </form>
  ));
}

function Step({ title, text, children }: { title: string; text: string; children: React.ReactNode }) {
  return (
    <>
      <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
      <p className="text-ink-soft mt-1 mb-5">{text}</p>
      {children}
    </>
  );
}
