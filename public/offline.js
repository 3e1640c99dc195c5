// A service worker for one thing: a page that cannot be loaded is answered by ours, and not by the browser's own error
// page. It stores nothing and touches no other request.
const OTHERS = ["same-origin", "cors", "no-cors"];

self.addEventListener("install", (event) => {
  self.skipWaiting();
  // Where the browser can, what is no page goes past this worker, which then need not be started for it.
  void event
    .addRoutes?.(OTHERS.map((requestMode) => ({ condition: { requestMode }, source: "network" })))
    .catch(() => {});
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  if (event.request.mode !== "navigate") return;
  event.respondWith(fetch(event.request).catch(() => offlinePage(event.request)));
});

/** Asks again by itself; what was sent as a form is not sent again. */
function offlinePage({ method, url }) {
  const { pathname, search } = new URL(url);
  const again = method === "GET" ? pathname + search : "/dashboard";
  const href = again.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const html = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta http-equiv="refresh" content="10;url=${href}" />
    <title>No connection · Lamplighter</title>
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      main { max-width: 28rem; margin: 20vh auto 0; padding: 0 1.5rem; }
      a { display: inline-block; padding: 0.6rem 1rem; border: 1px solid; border-radius: 0.4rem; color: inherit; }
    </style>
  </head>
  <body>
    <main>
      <h1>No connection to the server</h1>
      <p>The lights keep to their schedules. This page tries again by itself.</p>
      <p><a href="${href}">Try again</a></p>
    </main>
  </body>
</html>`;
  return new Response(html, { status: 503, headers: { "Content-Type": "text/html; charset=utf-8" } });
}
