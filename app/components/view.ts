import { useSearchParams, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { wasUnreached } from "#app/components/stay-on-screen";

/** Dialogs live in the query string, so that they can be linked; they say nothing about the list beneath. */
const DIALOGS = ["new", "edit", "delete", "cancel", "add", "remove", "password", "reset"] as const;
type Dialog = (typeof DIALOGS)[number];

/** Which dialog is open, on which record ('' for a new one), and the way to open and close it. */
export function useDialog() {
  const [search, setSearch] = useSearchParams();
  const dialog = DIALOGS.find((name) => search.has(name)) ?? null;
  return {
    dialog,
    id: dialog ? (search.get(dialog) ?? "") : "",
    open: (name: Dialog, id = "") => setSearch(withDialog(search, name, id), { preventScrollReset: true }),
    close: () => setSearch(withDialog(search), { preventScrollReset: true, replace: true }),
  };
}

/** A list is asked for again for everything but the opening of a dialog. */
export function isAnotherList(args: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl, formMethod, defaultShouldRevalidate } = args;
  if (wasUnreached(args)) return false;
  const sameList = withoutDialogs(currentUrl) === withoutDialogs(nextUrl);
  if (!formMethod && sameList && currentUrl.href !== nextUrl.href) return false;
  return defaultShouldRevalidate;
}

/** The query string without its dialog: which list is shown, and how. */
export function viewOf(search: URLSearchParams) {
  return withDialog(search);
}

function withDialog(search: URLSearchParams, name?: Dialog, id = "") {
  const next = new URLSearchParams(search);
  for (const other of DIALOGS) next.delete(other);
  if (name) next.set(name, id);
  return next;
}

function withoutDialogs(url: URL) {
  return `${url.pathname}?${viewOf(url.searchParams)}`;
}
