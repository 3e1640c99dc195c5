import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { requireUser } from "#app/session/session";
import { relightSentence } from "#domain/relight";

/** When lights that were just turned off go on again: `/relight?ids=a,b`. Null where the engine does not say at once. */
export async function loader(args: LoaderFunctionArgs): Promise<string | null> {
  const { services } = await requireUser(args);
  const ids = (new URL(args.request.url).searchParams.get("ids") ?? "").split(",").filter(Boolean);
  const [ahead, { APP_TIMEZONE }] = await Promise.all([services.devices.nextOn(ids), services.settings.find()]);
  if (ahead.size === 0) return null;
  const instants = [...ahead.values()].filter((at) => at !== null).map(Date.parse);
  return relightSentence(ahead.size, instants, APP_TIMEZONE, Date.now());
}

/** Without this, Remix would replace the screen with its error page when there is no answer. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<string | null> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    return null;
  }
}

export const shouldRevalidate = () => false;
