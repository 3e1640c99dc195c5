import { LOOPBACK_HOSTS } from "#domain/fields/loopback";

/** The address of the map's tiles; null without, and `problem` says what is wrong with what MAP_TILES_URL says. */
export type MapTiles = { url: string | null; problem: string | null };

const NONE: MapTiles = { url: null, problem: null };
const PROBLEM = "MAP_TILES_URL must be the https address of a .pmtiles file";

/** Reads MAP_TILES_URL. Over plain http only from this machine: browsers refuse other hosts on a page of https. */
export function mapTiles(setting: string | undefined): MapTiles {
  const text = setting?.trim() ?? "";
  if (text === "") return NONE;
  const url = URL.canParse(text) ? new URL(text) : null;
  return url && isTiles(url) ? { url: url.href, problem: null } : { url: null, problem: PROBLEM };
}

/** The origin that pages may fetch the tiles from; null without tiles. */
export function tilesOrigin(setting: string | undefined): string | null {
  const { url } = mapTiles(setting);
  return url && new URL(url).origin;
}

function isTiles({ protocol, hostname, pathname, username, password }: URL): boolean {
  const isSafe = protocol === "https:" || (protocol === "http:" && LOOPBACK_HOSTS.includes(hostname));
  // A policy would read a star as any host.
  return isSafe && !hostname.includes("*") && username + password === "" && pathname.endsWith(".pmtiles");
}
