import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { queryOf } from "#app/router/query";
import { requireUser } from "#app/session/session";
import { HTTP_STATUS, isRefusal } from "#domain/errors";
import { toLocalInput } from "#domain/time/display";

/** A log as a CSV file, with the filters of its screen and the city's date in its name. */
export async function loader(args: LoaderFunctionArgs) {
  const { services } = await requireUser(args).catch(unlessToLogin);
  const { log = "" } = args.params;
  const logs: Record<string, { csv: (query: unknown) => Promise<ReadableStream | string> }> = {
    inventory: { csv: services.imports.inventory },
    template: { csv: services.imports.template },
    events: services.schedulerEvents,
    history: services.history,
    activity: services.audit,
  };
  const file = Object.hasOwn(logs, log) ? logs[log] : undefined;
  if (!file) throw redirect("/dashboard");
  const { APP_TIMEZONE: zone } = await services.settings.find();
  const csv = await file.csv(queryOf(args.request)).catch(refuse);
  return new Response(csv, { headers: headersOf(`${log}-${toLocalInput(Date.now(), zone).date}.csv`) });
}

/** The sign-in page would be saved under the name of the log. */
function unlessToLogin(thrown: unknown): never {
  const isRedirect = thrown instanceof Response && thrown.status < 400;
  throw isRedirect ? new Response("Please sign in, then export again.", { status: 401 }) : thrown;
}

function refuse(caught: unknown): never {
  if (isRefusal(caught)) throw new Response(caught.detail, { status: HTTP_STATUS[caught.code] });
  throw caught;
}

function headersOf(filename: string) {
  return { "Content-Type": "text/csv; charset=utf-8", "Content-Disposition": `attachment; filename="${filename}"` };
}
