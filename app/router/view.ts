import { useLocation, useNavigate, useSearchParams, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { wasUnreached } from "#app/forms/catch-network-error";
import { cameFromElsewhere, goBackFrom } from "#app/router/arrivals";
import { isLost, isRemaining } from "#app/router/connection";
import { hasTimedOut } from "#app/session/activity";
import { DIALOG_FORM } from "#app/ui/no-script";

/** Dialogs live in the query string, so that they can be linked. */
const DIALOGS = [
  "new",
  "copy",
  "edit",
  "delete",
  "cancel",
  "skip",
  "move",
  "add",
  "assign",
  "acknowledge",
  "import",
  "remove",
  "password",
  "reset",
  "turn-on",
  "turn-off",
  "emergency",
] as const;
export type Dialog = (typeof DIALOGS)[number];
/** Values for a form from a link, such as a light's page to a new schedule. `night` is the one that is skipped. */
export const PREFILLED = ["area_id", "device_id", "target", "title", "description", "start", "end", "night"] as const;

/**
 * The open dialog, the id of its record ('' for a new one), and functions that close it: `close` goes back to the screen
 * whose link opened it, `stay` to the one under it, where its result is.
 */
export function useDialog() {
  const [search, setSearch] = useSearchParams();
  const { key } = useLocation();
  const navigate = useNavigate();
  const stay = () => setSearch(viewOf(search), { preventScrollReset: true, replace: true });
  const dialog = DIALOGS.find((name) => search.has(name)) ?? null;
  return {
    dialog,
    id: dialog ? (search.get(dialog) ?? "") : "",
    close: () => (cameFromElsewhere(key) ? goBackFrom(key, navigate) : stay()),
    stay,
  };
}

/** Makes a button open a dialog. It submits the layout's hidden form, so it works without script. */
export function opens(dialog: Dialog, id = "") {
  return { type: "submit", form: DIALOG_FORM, name: dialog, value: id } as const;
}

/** Reloads a list on every navigation except the opening or closing of a dialog, and never without a session. */
export function isAnotherList(args: ShouldRevalidateFunctionArgs) {
  const { currentUrl, nextUrl, defaultShouldRevalidate } = args;
  const isHere = currentUrl.href === nextUrl.href;
  if (hasTimedOut() || isRemaining()) return false;
  // Whoever is on the way to another list meanwhile gets that one.
  if (isHere && (isLost() || wasUnreached(args))) return false;
  const sameList = pathWithoutDialog(currentUrl) === pathWithoutDialog(nextUrl);
  if (!wasSent(args) && sameList && !isHere) return false;
  return defaultShouldRevalidate;
}

/** Whether a form was posted; the form that opens dialogs is a GET. */
export function wasSent({ formMethod }: Pick<ShouldRevalidateFunctionArgs, "formMethod">) {
  return formMethod !== undefined && formMethod !== "GET";
}

/** Whether the URL names a dialog. */
export function hasDialog({ searchParams }: URL) {
  return DIALOGS.some((name) => searchParams.has(name));
}

export function pathWithoutDialog({ pathname, searchParams }: URL) {
  const search = viewOf(searchParams);
  return search.size > 0 ? `${pathname}?${search}` : pathname;
}

/** The query string without its dialog: search, filters, sort order and page. */
export function viewOf(search: URLSearchParams) {
  const next = new URLSearchParams(search);
  for (const name of [...DIALOGS, ...PREFILLED]) next.delete(name);
  return next;
}
