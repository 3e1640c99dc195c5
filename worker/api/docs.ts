import type { Context } from "hono";
import { html } from "hono/html";
import { inWords } from "#worker/api/docs-words";
import { operations, topicOf, type Operation, type Schema } from "#worker/api/openapi";
import { VERSION } from "#domain/version";
import type { ApiEnv } from "#worker/api/session";

/** The contract as an HTML page, which runs no script and loads nothing. */
export function docs(c: Context<ApiEnv>) {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const always = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  c.header("Content-Security-Policy", `${always}; style-src 'nonce-${nonce}'`);
  const records: Record<string, Schema> = {};
  const calls = operations(records);
  const topics = [...new Set(calls.map(({ path }) => topicOf(path)))];
  return c.html(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>Lamplighter API</title>
          <style nonce="${nonce}">
            ${STYLE}
          </style>
        </head>
        <body>
          <header>
            <h1>Lamplighter API</h1>
            <p>
              Version ${VERSION}. All paths are below <code>/api</code>; bodies are JSON. Send the token of
              <code>POST /auth/login</code> as <code>Authorization: Bearer</code>. Errors answer
              <code>{ "detail": "a sentence to show" }</code>; validation errors also have <code>errors</code> by field.
              Instants are ISO 8601 in UTC. The screens hear what changes on a WebSocket, <code>GET /live</code>, which
              is not below <code>/api</code> and takes a page's session cookie and no bearer. For machines:
              <a href="/api/openapi.json">openapi.json</a>.
            </p>
          </header>
          <nav aria-label="Topics">
            ${topics.map((topic) => html`<a href="#${topic}">${topic}</a> `)}<a href="#records">records</a>
          </nav>
          <main>
            ${topics.map(
              (topic) => html`
                <h2 id="${topic}">${topic}</h2>
                ${calls.filter((call) => topicOf(call.path) === topic).map(section)}
              `,
            )}
            <h2 id="records">records</h2>
            ${Object.entries(records).map(
              ([name, schema]) => html`
                <details id="${name}" open>
                  <summary><b>${name}</b></summary>
                  ${fields(schema)}
                </details>
              `,
            )}
          </main>
        </body>
      </html>`,
  );
}

function section({ method, path, summary, who, parameters, requestBody, responses }: Operation) {
  const [[status, done] = ["200", undefined], ...refusals] = Object.entries(responses);
  return html`
    <details>
      <summary><b class="${method}">${method.toUpperCase()}</b> <code>${path}</code> <span>${summary}</span></summary>
      <p>Permitted to ${who}.</p>
      ${
        parameters.length > 0
          ? html`<h3>Parameters</h3>
              <dl>
                ${parameters.map(
                  (parameter) =>
                    html`<dt>${parameter.name} <small>${parameter.in}</small></dt>
                      <dd>${inWords(parameter.schema)}</dd>`,
                )}
              </dl>`
          : ""
      }
      ${Object.values(requestBody?.content ?? {}).map(
        ({ schema }) =>
          html`<h3>Body</h3>
            ${fields(schema)}`,
      )}
      <h3>Answer ${status}</h3>
      ${Object.values(done?.content ?? {}).map(({ schema }) => fields(schema))}
      ${
        refusals.length > 0
          ? html`<h3>Refusals</h3>
              <dl>
                ${refusals.map(
                  ([refused, { description }]) =>
                    html`<dt>${refused}</dt>
                      <dd>${description}</dd>`,
                )}
              </dl>`
          : ""
      }
    </details>
  `;
}

function fields(schema: Schema) {
  if (!schema.properties) return html`<p>${inWords(schema)}</p>`;
  const { required = [] } = schema;
  return html`<dl>
    ${Object.entries(schema.properties).map(
      ([name, field]) =>
        html`<dt>${name} ${required.includes(name) ? "" : html`<small>optional</small>`}</dt>
          <dd>${inWords(field)}</dd>`,
    )}
  </dl>`;
}

const STYLE = `
  :root { color-scheme: light dark; --line: light-dark(#d9dde3, #3a4150); --soft: light-dark(#5a6372, #a3adbd); }
  body { margin: 0 auto; max-width: 60rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif;
    color: light-dark(#16202e, #e8ecf2); background: light-dark(#fff, #12161d); overflow-wrap: anywhere; }
  a { color: light-dark(#0b5cad, #8ac4ff); }
  h1 { margin: 0; } h2 { margin: 2rem 0 .5rem; text-transform: capitalize; } h3 { margin: 1rem 0 .25rem; font-size: 1rem; }
  nav { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: .5rem 0; border-block: 1px solid var(--line); }
  nav a { padding: .25rem 0; }
  details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; padding: .5rem .75rem; }
  summary { cursor: pointer; } summary span { color: var(--soft); } summary:focus-visible { outline: 2px solid; }
  code, dt { font: .9375rem/1.5 ui-monospace, monospace; } small, p small { color: var(--soft); }
  dl { display: grid; grid-template-columns: minmax(9rem, max-content) 1fr; gap: .125rem 1rem; margin: 0; } dd { margin: 0; }
  @media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin: 0 0 .5rem 1rem; } summary span { display: block; } }
`;
