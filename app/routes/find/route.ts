import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import { requireUser } from "#app/session/session";

export type Kind = "area" | "hub" | "device" | "schedule";
export type Hit = { kind: Kind; id: string; name: string; place: string };
/** The hits per kind; the lists show more. */
const MOST = 6;

/** Finds the visible areas, hubs, devices and schedules that contain all the words. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { services } = await requireUser(args);
  const q = new URL(args.request.url).searchParams.get("q")?.trim() ?? "";
  if (q === "") return Response.json([]);
  const { areas, hubs, devices, schedules } = services;
  const pages = await Promise.all([areas, hubs, devices, schedules].map((service) => service.page({ q })));
  const hits: Hit[] = pages.flatMap(({ rows }, at) => rows.slice(0, MOST).map((row) => hit(KINDS[at] ?? "area", row)));
  return Response.json(hits);
}

const KINDS: Kind[] = ["area", "hub", "device", "schedule"];

type Row = { id: string; area_name?: string } & ({ name: string; type?: string } | { title: string });

function hit(kind: Kind, row: Row): Hit {
  const name = "title" in row ? row.title : row.name;
  const type = "type" in row ? row.type : "";
  return { kind, id: row.id, name, place: row.area_name ?? type ?? "" };
}
