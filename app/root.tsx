import { data, type LinksFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { useCspNonce } from "#app/components/csp-nonce";
import { isRemaining } from "#app/router/connection";
import { dataOnScreen } from "#app/router/stay-on-screen";
import { FlashToasts } from "#app/session/flash-toasts";
import { NoScriptFlash } from "#app/no-script/no-script-flash";
import { takeNoScriptFlash } from "#app/session/flash";
import { isNoScript } from "#app/no-script/no-script";
import { themeAttribute, themeOf } from "#app/session/theme";
import { buttonClasses } from "#app/ui/button";
import { NoScriptProvider } from "#app/ui/no-script";
import { Toaster } from "#app/ui/toaster";
import { useBrowserValue } from "#app/ui/use-browser-value";
import noScriptStyles from "#app/styles/no-script.css?url";
import styles from "#app/styles/tailwind.css?url";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: MetaFunction = () => [{ title: "Lamplighter" }];

export function loader({ request }: LoaderFunctionArgs) {
  const theme = themeOf(request);
  if (!isNoScript(request)) return { theme, noScript: false, flash: null };
  const { flash, headers } = takeNoScriptFlash(request);
  return data({ theme, noScript: true, flash }, { headers });
}

/**
 * Never asks for the root's data again, which describe the document; only a full page load replaces it. Where the screen
 * stays as it is, the root gives what it has: a router that has nothing at all to load leaves a sent form pending for ever.
 */
export const clientLoader = () => dataOnScreen("root");
export const shouldRevalidate = isRemaining;

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useCspNonce();
  const { theme = "system", noScript = false } = useRouteLoaderData<typeof loader>("root") ?? {};
  const isSignedIn = useRouteLoaderData("routes/layout/route") !== undefined;
  return (
    <html lang="en" data-theme={themeAttribute(theme)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {theme !== "dark" && <meta name="theme-color" media={theme === "light" ? "all" : LIGHT} content="#ffffff" />}
        {theme !== "light" && <meta name="theme-color" media={theme === "dark" ? "all" : DARK} content="#141d2c" />}
        {isSignedIn && !noScript && (
          <noscript>
            <meta httpEquiv="refresh" content="0;url=/no-script" />
          </noscript>
        )}
        <Meta />
        <Links />
        {noScript && <link rel="stylesheet" href={noScriptStyles} />}
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function App() {
  const { noScript, flash } = useLoaderData<typeof loader>();
  // `noScript` turns off right after hydration.
  const isScripted = useBrowserValue(() => true, false);
  return (
    <NoScriptProvider value={noScript && !isScripted}>
      {flash && <NoScriptFlash {...flash} />}
      <Outlet />
      <FlashToasts />
      <Toaster />
    </NoScriptProvider>
  );
}

const LIGHT = "(prefers-color-scheme: light)";
const DARK = "(prefers-color-scheme: dark)";

/** Remix's default error page has an inline script, which the Content-Security-Policy refuses. */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const isAway = status === 503;
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-3 px-6">
      <p className="text-ink-faint">Error {status}</p>
      <h1 className="text-2xl font-semibold">This page could not be shown</h1>
      <p className="text-ink-soft">
        The lights keep to their schedules.{" "}
        {isAway
          ? "The database did not answer. Please try again in a moment."
          : "Check your connection and try again; if it stays, tell your administrator."}
      </p>
      <a href={isAway ? "" : "/dashboard"} className={buttonClasses("primary")}>
        Try again
      </a>
    </main>
  );
}
