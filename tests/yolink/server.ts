import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { Door, Simulator } from "./simulator";

/** Serves one door of the simulator on loopback; port 0 takes a free one. */
export async function serve(
  simulator: Simulator,
  door: Door,
  port = 0,
  besides: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
): Promise<{ base: string; port: number; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    if (besides(request, response)) return;
    answer(simulator, door, request, response).catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const actual = typeof address === "object" && address ? address.port : port;
  return { base: `http://127.0.0.1:${actual}`, port: actual, close: () => close(server) };
}

async function answer(
  simulator: Simulator,
  door: Door,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://simulator");
  const told = await simulator.ask(door, {
    path: pathname,
    query: searchParams.toString(),
    authorization: request.headers.authorization ?? null,
    body: Buffer.concat(chunks).toString("utf8"),
  });
  if (told === "silence") return;
  // An open port can't refuse a connection, so close it at once.
  if (told === "refused" || told === "drop") return void request.socket.destroy();
  response.writeHead(told.status, told.headers).end(told.body);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
