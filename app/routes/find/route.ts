import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { requireUser } from "#app/session/session";

export type Kind = "area" | "hub" | "device" | "schedule";
export type Hit = { kind: Kind; id: string; name: string; place: string };
/** `hits` is null if the search failed. */
export type Found = { q: string; hits: Hit[] | null };

/** The hits per kind; the lists show more. */
const MOST = 6;

/** Finds the visible areas, hubs, devices and schedules that contain all the words. */
export async function loader(args: LoaderFunctionArgs): Promise<Found> {
  const { services } = await requireUser(args);
  const q = new URL(args.request.url).searchParams.get("q")?.trim() ?? "";
  if (q === "") return { q, hits: [] };
  const { areas, hubs, devices, schedules } = services;
  const pages = await Promise.all([areas, hubs, devices, schedules].map((service) => service.page({ q })));
  return { q, hits: pages.flatMap(({ rows }, at) => rows.slice(0, MOST).map((row) => hit(KINDS[at] ?? "area", row))) };
}

/** Without this, Remix would replace the screen with its error page when there is no answer. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs): Promise<Found> {
  try {
    return await serverLoader<typeof loader>();
  } catch (thrown) {
    if (thrown instanceof Response) throw thrown;
    return { q: new URL(request.url).searchParams.get("q")?.trim() ?? "", hits: null };
  }
}

/** Polling does not repeat a search. */
export const shouldRevalidate = () => false;

const KINDS: Kind[] = ["area", "hub", "device", "schedule"];

type Row = { id: string; area_name?: string } & ({ name: string; type?: string } | { title: string });

function hit(kind: Kind, row: Row): Hit {
  const name = "title" in row ? row.title : row.name;
  const type = "type" in row ? row.type : "";
  return { kind, id: row.id, name, place: row.area_name ?? type ?? "" };
}
