import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData, type ClientActionFunctionArgs } from "@remix-run/react";
import { useEffect } from "react";
import { clearStoredLogin } from "#app/session/stored-login";
import { catchNetworkError } from "#app/forms/catch-network-error";
import { isAnotherList } from "#app/router/view";
import { refused, texts } from "#app/forms/form-answer";
import { setFlash, setFlashInBrowser } from "#app/session/flash";
import { returnPath } from "#app/session/return-path";
import { requireSignedOut } from "#app/session/session";
import { useBrowserValue } from "#app/ui/use-browser-value";
import { VERSION } from "#domain/version";
import { LoginForm } from "./login-form";

export const meta: MetaFunction = () => [{ title: "Sign In · Lamplighter" }];
export const shouldRevalidate = isAnotherList;

const FAILED = { sign_in: "Login failed" };

export async function loader(args: LoaderFunctionArgs) {
  await requireSignedOut(args);
  return { demo: args.context.demo };
}

export async function action({ context, request }: ActionFunctionArgs) {
  const form = await request.clone().formData();
  try {
    const { headers } = await context.signIn(form);
    setFlash(headers, "signed_in");
    return redirect(returnPath(new URL(request.url)), { headers });
  } catch (caught) {
    return refused(caught, FAILED.sign_in, { typed: texts(form) });
  }
}

export const clientAction = (args: ClientActionFunctionArgs) => catchNetworkError(args, FAILED);

export default function Login() {
  const { demo } = useLoaderData<typeof loader>();
  const keepsCookies = useBrowserValue(() => navigator.cookieEnabled, true);
  useEffect(() => {
    // Its storage throws.
    if (!navigator.cookieEnabled) return;
    // The server never sees an expired cookie, so the stored login shows that there was a session.
    if (clearStoredLogin()) setFlashInBrowser("expired");
  }, []);
  return (
    <main className="bg-night text-night-ink flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <div className="flex items-center gap-3">
        <img src="/favicon.svg" alt="" className="size-10 rounded-lg" />
        <span className="text-xl font-semibold tracking-tight">Lamplighter</span>
      </div>
      <LoginForm demo={demo} keepsCookies={keepsCookies} />
      <footer className="text-night-soft text-xs">Lamplighter v{VERSION}</footer>
    </main>
  );
}
