import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A line that can be cut as real ones are: nobody is told, the bytes just don't arrive. */
export type Line = {
  url: string;
  isCut: boolean;
  cut: () => void;
  /** What was connected before the cut stays dead, as behind a router that has forgotten it. */
  mend: () => void;
  close: () => Promise<void>;
};

/** A line from a loopback port to `target`. */
export async function aLine(target: URL): Promise<Line> {
  const pairs = new Set<[Socket, Socket]>();
  const server = createServer((near) => {
    const far = connect({ host: target.hostname, port: Number(target.port || 80) });
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    const end = () => {
      if (line.isCut) return;
      pairs.delete(pair);
      pair.forEach((socket) => socket.destroy());
    };
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on("data", (data) => {
        if (!line.isCut) to.write(data);
      });
      from.on("error", () => undefined);
      from.on("close", end);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address: AddressInfo | string | null = server.address();
  const line: Line = {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    isCut: false,
    cut: () => {
      line.isCut = true;
    },
    mend: () => {
      line.isCut = false;
      for (const pair of pairs) pair.forEach((socket) => socket.destroy());
      pairs.clear();
    },
    close: async () => {
      line.mend();
      server.close();
      await once(server, "close");
    },
  };
  return line;
}
