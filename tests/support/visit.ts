import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { seen } from "./seen";
import type { Server } from "./server";

export type Visit = {
  page: Page;
  /** Waits until the text is on screen, as the whole text of an element, and tells the register (tests/register). */
  sees: (text: string | RegExp, within?: Locator) => Promise<void>;
  press: (button: string) => Promise<void>;
  /** What those of the screen's buttons are called that fit. */
  buttons: (fitting: RegExp) => Promise<string[]>;
  go: (path: string) => Promise<void>;
};

/** A demo account at the screens, signed in. */
export async function visitAs(
  browser: Browser,
  server: Pick<Server, "url">,
  name: "admin" | "manager" | "employee" | "auditor" | "regional",
): Promise<Visit> {
  const visit = await aVisit(browser, server);
  const credentials = { email: `${name}@parks.example`, password: "lamplighter-demo" };
  await visit.page.request.post(`${server.url}/api/auth/login`, { data: credentials });
  return visit;
}

/** Somebody who is not signed in; or, with a context, another tab of theirs. */
export async function aVisit(browser: Browser | BrowserContext, server: Pick<Server, "url">): Promise<Visit> {
  const page = await browser.newPage();
  page.setDefaultTimeout(15_000);
  return {
    page,
    sees: async (text, within) => {
      const found = (within ?? page).getByText(text, { exact: true }).filter({ visible: true }).first();
      await found.waitFor();
      seen(typeof text === "string" ? text : await found.innerText());
    },
    press: (button) => page.getByRole("button", { name: button, exact: true }).last().click(),
    buttons: (fitting) =>
      page
        .getByRole("main")
        .getByRole("button", { name: fitting })
        .evaluateAll((all) => all.map((button) => button.ariaLabel ?? button.textContent ?? "")),
    go: async (path) => {
      await page.goto(server.url + path);
      await hydrated(page);
    },
  };
}

/** React listens to everything on the page: what is pressed before is replayed, what is chosen or typed is not. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("a, button, input, select, textarea")].every((element) =>
      Object.keys(element).some((key) => key.startsWith("__reactProps")),
    ),
  );
}

/** As a tab behind others is: its lists are not asked again by themselves. */
export async function hide({ page }: Visit, hidden = true): Promise<void> {
  await page.evaluate((value) => Object.defineProperty(document, "hidden", { value, configurable: true }), hidden);
}

/** What an element says, or what its attribute is, each time that it changes from here on: what is there for a moment only. */
export async function momentsOf(element: Locator, attribute?: string): Promise<() => Promise<(string | null)[]>> {
  const seen = await element.evaluateHandle((node, name) => {
    const read = () => (name === undefined ? node.textContent : node.getAttribute(name));
    const values = [read()];
    const look = () => void (read() !== values.at(-1) && values.push(read()));
    new MutationObserver(look).observe(node, { attributes: true, characterData: true, childList: true, subtree: true });
    return values;
  }, attribute);
  return () => seen.jsonValue();
}

/** On a slow line, so that what is shown while an answer is awaited is there to be seen. */
export async function slowly({ page }: Visit, work: () => Promise<void>): Promise<void> {
  const line = await page.context().newCDPSession(page);
  const delay = (latency: number) =>
    line.send("Network.emulateNetworkConditions", {
      offline: false,
      latency,
      downloadThroughput: -1,
      uploadThroughput: -1,
    });
  await line.send("Network.enable");
  await delay(1_500);
  try {
    await work();
  } finally {
    await delay(0);
    await line.detach();
  }
}

/** A table, or 'table.column', that cannot be read or written meanwhile: what a person is told when it fails for real. */
export async function without(server: Server, what: string, work: () => Promise<void>): Promise<void> {
  const [table = "", column] = what.split(".");
  const rename = (from: string, to: string) =>
    column ? `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${to}` : `ALTER TABLE ${from} RENAME TO ${to}`;
  const name = column ?? table;
  await meanwhile(server, rename(name, `${name}_away`), work, rename(`${name}_away`, name));
}

/** While the departments' names cannot be read; the table itself is needed to know who is signed in. */
export function withoutDepartmentNames(server: Server, work: () => Promise<void>): Promise<void> {
  return meanwhile(
    server,
    `ALTER TABLE departments RENAME TO departments_away
     CREATE VIEW departments AS SELECT id, org_id, version, created_at, json('{') AS name FROM departments_away`,
    work,
    `DROP VIEW departments
     ALTER TABLE departments_away RENAME TO departments`,
  );
}

/** Statements, a line each, on the running server's database: what no screen and no call can bring about. */
export async function exec(server: Server, statements: string): Promise<void> {
  await server.batch(statements.split("\n").map((statement) => server.prepare(statement)));
}

/** Work between two statements, a line each, on the running server's database. */
export async function meanwhile(
  server: Server,
  before: string,
  work: () => Promise<void>,
  after: string,
): Promise<void> {
  await exec(server, before);
  try {
    await work();
  } finally {
    await exec(server, after);
  }
}
