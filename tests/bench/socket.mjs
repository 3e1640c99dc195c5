import { randomBytes } from "node:crypto";
import { get } from "node:http";

/** A WebSocket that only listens: calls back with the size of each message. Resolves with its connection, once it is open. */
export function openSocket(url, headers, hear) {
  const handshake = {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": randomBytes(16).toString("base64"),
  };
  return new Promise((opened, failed) => {
    const request = get(url, { headers: { ...handshake, ...headers } });
    request.on("error", failed);
    request.on("response", ({ statusCode }) => failed(new Error(`the socket was answered ${statusCode}`)));
    request.on("upgrade", (_, connection, first) => {
      let rest = first;
      const take = () => {
        for (let size = frameOf(rest); size !== null; size = frameOf(rest)) {
          hear(size.payload);
          rest = rest.subarray(size.whole);
        }
      };
      connection.on("data", (bytes) => {
        rest = Buffer.concat([rest, bytes]);
        take();
      });
      connection.on("error", () => undefined);
      take();
      opened(connection);
    });
  });
}

/** The first frame's sizes, as a server sends it, unmasked; null where it is not all there. */
function frameOf(bytes) {
  if (bytes.length < 2) return null;
  const short = bytes[1];
  const head = short < 126 ? 2 : short === 126 ? 4 : 10;
  if (bytes.length < head) return null;
  const payload = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  return bytes.length < head + payload ? null : { payload, whole: head + payload };
}
