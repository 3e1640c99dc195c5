import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { requireUser } from "#app/session/session";

export type Kind = "area" | "hub" | "device" | "schedule";
export type Hit = { kind: Kind; id: string; name: string; place: string };
/** `hits` is null if the search failed. */
export type Found = { q: string; hits: Hit[] | null };

/** Of each kind; who wants more goes to the list. */
const MOST = 6;

/** What of the organization, as far as the person sees it, has all the words. */
export async function loader(args: LoaderFunctionArgs): Promise<Found> {
  const { services } = await requireUser(args);
  const q = new URL(args.request.url).searchParams.get("q")?.trim() ?? "";
  if (q === "") return { q, hits: [] };
  const { areas, hubs, devices, schedules } = services;
  const pages = await Promise.all([areas, hubs, devices, schedules].map((service) => service.page({ q })));
  return { q, hits: pages.flatMap(({ rows }, at) => rows.slice(0, MOST).map((row) => hit(KINDS[at] ?? "area", row))) };
}

/** Without an answer Remix would put its error page in the screen's place. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<Found> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    return { q: new URL(request.url).searchParams.get("q")?.trim() ?? "", hits: null };
  }
}

/** A search is about the moment it was made in. */
export const shouldRevalidate = () => false;

const KINDS: Kind[] = ["area", "hub", "device", "schedule"];

type Row = { id: string; area_name?: string } & ({ name: string; type?: string } | { title: string });

function hit(kind: Kind, row: Row): Hit {
  const name = "title" in row ? row.title : row.name;
  const type = "type" in row ? row.type : "";
  return { kind, id: row.id, name, place: row.area_name ?? type ?? "" };
}
