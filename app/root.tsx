import type { LinksFunction, MetaFunction } from "@remix-run/cloudflare";
import { isRouteErrorResponse, Links, Meta, Outlet, Scripts, ScrollRestoration, useRouteError } from "@remix-run/react";
import type { ReactNode } from "react";
import { useCspNonce } from "#app/components/csp-nonce";
import { Notices } from "#app/components/notices";
import { buttonClasses } from "#app/ui/button";
import { Toaster } from "#app/ui/toaster";
import styles from "#app/styles/tailwind.css?url";

export const links: LinksFunction = () => [
  { rel: "stylesheet", href: styles },
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
];

export const meta: MetaFunction = () => [{ title: "Lamplighter" }];

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useCspNonce();
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141d2c" />
        <Meta />
        <Links />
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
  return (
    <>
      <Outlet />
      <Notices />
      <Toaster />
    </>
  );
}

/** Ours, because the default one brings an inline script that the Content-Security-Policy refuses. */
export function ErrorBoundary() {
  const error = useRouteError();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col items-start justify-center gap-3 px-6">
      <p className="text-ink-faint">Error {status}</p>
      <h1 className="text-2xl font-semibold">This page could not be shown</h1>
      <p className="text-ink-soft">
        The lights keep to their schedules. Check your connection and try again; if it stays, tell your administrator.
      </p>
      <a href="/dashboard" className={buttonClasses("primary")}>
        Try again
      </a>
    </main>
  );
}
