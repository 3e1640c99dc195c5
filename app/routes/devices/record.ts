import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { foundOrNull } from "#app/routes/detail/found-or-null";
import { requireUser } from "#app/session/session";
import type { Device } from "#domain/records";

/** An open form keeps what it was opened with. */
export const shouldRevalidate = () => false;

/** One device with all its fields, for its form; null if it is gone. */
export async function loader(args: LoaderFunctionArgs): Promise<{ device: Device | null }> {
  const { services } = await requireUser(args);
  return { device: await foundOrNull(services.devices.find(args.params.id ?? "")) };
}

/** Without this, Remix would replace the screen with its error page when there is no answer. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs): Promise<{ device: Device | null }> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    console.error(thrown);
    return { device: null };
  }
}
