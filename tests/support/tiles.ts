import { once } from "node:events";
import { createServer } from "node:http";

export type TileHost = {
  /** The address of the file. */
  url: string;
  /** The ranges that were asked for. */
  ranges: string[];
  stop: () => Promise<void>;
};

/** A host of a PMTiles file on this machine, as a city's would be: it allows other sites and answers ranges. */
export async function aTileHost(): Promise<TileHost> {
  const file = allWater();
  const ranges: string[] = [];
  const server = createServer((request, response) => {
    const [, from = "", to = ""] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    ranges.push(request.headers.range ?? "");
    response.writeHead(206, {
      "Access-Control-Allow-Origin": "*",
      "Content-Type": "application/octet-stream",
      "Content-Range": `bytes ${from}-${to}/${file.length}`,
    });
    response.end(file.subarray(Number(from), Number(to) + 1));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No free port");
  return {
    url: `http://127.0.0.1:${address.port}/city.pmtiles`,
    ranges,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A PMTiles file (version 3, nothing compressed) of one tile, the whole world, in which everything is water. */
function allWater(): Buffer {
  const tile = waterTile();
  const metadata = Buffer.from("{}");
  const directory = Buffer.from([1, 0, 1, ...varint(tile.length), 1]);
  const header = Buffer.alloc(127);
  header.write("PMTiles");
  header[7] = 3;
  const metadata_at = header.length + directory.length;
  const tiles_at = metadata_at + metadata.length;
  // Root directory, metadata, leaf directories and tiles, each where and how long; then how many tiles, entries, contents.
  const places = [
    header.length,
    directory.length,
    metadata_at,
    metadata.length,
    tiles_at,
    0,
    tiles_at,
    tile.length,
    1,
    1,
    1,
  ];
  for (const [nth, place] of places.entries()) header.writeBigUInt64LE(BigInt(place), 8 + 8 * nth);
  // Clustered; no compression within and of the tiles; vector tiles; from zoom 0 to 0.
  header.set([1, 1, 1, 1, 0, 0], 96);
  for (const [nth, degrees] of [-180, -85, 180, 85].entries()) header.writeInt32LE(degrees * 10_000_000, 102 + 4 * nth);
  return Buffer.concat([header, directory, metadata, tile]);
}

/** A vector tile with the layer 'water' of one square that fills it. */
function waterTile(): Buffer {
  const size = 4096;
  const [right, left] = [2 * size, 2 * size - 1]; // as zigzag
  const square = [9, 0, 0, 26, right, 0, 0, right, left, 0, 15].flatMap(varint);
  const feature = [0x18, 3, 0x22, square.length, ...square];
  const name = [...Buffer.from("water")];
  const layer = [0x78, 2, 0x0a, name.length, ...name, 0x12, feature.length, ...feature, 0x28, ...varint(size)];
  return Buffer.from([0x1a, layer.length, ...layer]);
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
