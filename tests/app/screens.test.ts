import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { returnPath } from "#app/session/return-path";
import routes from "#app/routes";
import { SCREENS } from "#tests/support/screens";

/** Linked from a list, from another screen or from the user menu. */
const LINKED_ELSEWHERE = [
  "areas/:id",
  "closures",
  "permits",
  "devices/:id",
  "import",
  "import/hub-account",
  "import/:id",
  "settings/agents",
  "settings/messages",
  "account",
  "change-password",
];

/** Opened by a test of their own: an import has to be made first, and the form is a dialog where there is script. */
const OPENED_BY: Record<string, string> = {
  "import/:id": "tests/browser/import.test.ts",
  "change-password": "tests/browser/without-javascript.test.ts",
};
/** The browser itself submits its form, since a file may take longer than a call may. */
const SUBMITTED_BY_THE_BROWSER = "routes/import/route.tsx";

const screens = routes.flatMap(({ children = [] }) => children).filter(({ path }) => path !== undefined);
const paths = screens.map(({ path = "" }) => path);

test("the main navigation has every screen, except those that are reached from another one", () => {
  const navigation = readFileSync("app/routes/layout/screens.ts", "utf8");
  const linked = [...navigation.matchAll(/to: "\/([^"]+)"/g)].map(([, path]) => path);
  expect([...linked, ...LINKED_ELSEWHERE].toSorted()).toEqual(paths.toSorted());
});

test.each(paths)("%s is returned to after signing in", (path) => {
  const wanted = `/${path.replace(":id", "x")}`;
  const login = new URL(`https://lights.example/login?${new URLSearchParams({ next: wanted })}`);
  expect(returnPath(login)).toBe(wanted);
});

test.each(paths)("%s is opened by the browser tests", (path) => {
  const pattern = new RegExp(`^/${path.replace(":id", "[^/]+")}$`);
  const isOpened = Object.keys(SCREENS).some((known) => pattern.test(known));
  expect(isOpened || existsSync(OPENED_BY[path] ?? "nowhere")).toBe(true);
});

test.each(screens)(
  "$file has a title and an error page, and keeps the screen if its action gets no answer",
  ({ file }) => {
    const source = readFileSync(`app/${file}`, "utf8");
    const exports = (name: string) => new RegExp(`export (const|async function|function) ${name}\\b`).test(source);
    expect([exports("meta"), exports("ErrorBoundary")]).toEqual([true, true]);
    expect(exports("clientAction")).toBe(exports("action") && file !== SUBMITTED_BY_THE_BROWSER);
  },
);
