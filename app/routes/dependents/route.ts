import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { requireUser } from "#app/session/session";
import { OWNERS } from "#domain/dependents";
import { dependentsOf } from "./of-page";

/** A sentence on what depends on a record: `/dependents?area=ID`. Null, and logged, where it cannot be had. */
export async function loader(args: LoaderFunctionArgs): Promise<string | null> {
  const { services } = await requireUser(args);
  const search = new URL(args.request.url).searchParams;
  const owner = OWNERS.find((name) => search.has(name));
  return owner ? dependentsOf(services, owner, search.get(owner) ?? "") : null;
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

/** Asked once for each dialog: a sentence must not change while it is read. */
export const shouldRevalidate = () => false;
