import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";

const closing: (() => void)[] = [];

/** The address of a server on this machine that answers so, until `closeServers`. */
export async function serverThat(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("it listens nowhere");
  return `http://127.0.0.1:${address.port}`;
}

/** Closes every server of `serverThat`, also under a request. */
export function closeServers(): void {
  for (const close of closing.splice(0)) close();
}
