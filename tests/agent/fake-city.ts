import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";
import { AGENT_PING, AGENT_PONG, fromAgent, type FromAgent, type ToAgent } from "#domain/agent/frames";
import { until } from "./until";

/** One agent's socket, as the city sees it. */
export type Line = {
  headers: IncomingMessage["headers"];
  url: string;
  heard: FromAgent[];
  pings: number;
  /** Whether pings are answered, as the platform does it. */
  answersPings: boolean;
  closed: { code: number; reason: string } | null;
  socket: WebSocket;
  say: (frame: ToAgent) => void;
  saw: <T extends FromAgent["type"]>(type: T, n?: number) => Promise<FromAgent & { type: T }>;
};

export type FakeCity = {
  url: string;
  lines: Line[];
  /** What an agent's first request is answered with instead of a socket. */
  refusal: { status: number; headers?: Record<string, string> } | null;
  /** What the Authorization header must be. */
  secret: string;
  /** How many requests were refused. */
  refused: number;
  /** Whether its answers say when they were made. */
  tellsTime: boolean;
  line: (n: number) => Promise<Line>;
  close: () => Promise<void>;
};

/** The far end of the line over a real loopback socket; what it says is up to the test. */
export async function aFakeCity(): Promise<FakeCity> {
  // As the city's own door answers who brings a secret, but doesn't open a line.
  const server = createServer((request, response) => {
    response.sendDate = city.tellsTime;
    response.writeHead(request.headers.authorization === city.secret ? 426 : 401).end();
  });
  const sockets = new WebSocketServer({ noServer: true });
  const city: FakeCity = {
    url: "",
    lines: [],
    refusal: null,
    secret: "",
    refused: 0,
    tellsTime: true,
    line: (n) => until(() => city.lines[n], `line ${n}`),
    close: () => close(server, sockets),
  };
  server.on("upgrade", (request, socket, head) => {
    // Who is refused may hang up before it has read so, and nobody else listens to this socket.
    socket.on("error", () => undefined);
    if (city.refusal) {
      city.refused += 1;
      const { status, headers = {} } = city.refusal;
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      return void socket.end(
        `HTTP/1.1 ${status} No\r\n${lines.join("")}Content-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    }
    sockets.handleUpgrade(request, socket, head, (ws) => city.lines.push(lineOf(ws, request)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  city.url = `http://127.0.0.1:${portOf(server)}`;
  return city;
}

function portOf(server: Pick<Server, "address">): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

function lineOf(socket: WebSocket, { headers, url = "" }: IncomingMessage): Line {
  const line: Line = {
    headers,
    url,
    heard: [],
    pings: 0,
    answersPings: true,
    closed: null,
    socket,
    say: (frame) => socket.send(JSON.stringify(frame)),
    saw: (type, n = 1) => until(() => ofType(line.heard, type)[n - 1], `${n}. '${type}' from the agent`),
  };
  socket.on("message", (data) => {
    const text = String(data);
    if (text !== AGENT_PING) return void line.heard.push(fromAgent.parse(JSON.parse(text)));
    line.pings += 1;
    if (line.answersPings) socket.send(AGENT_PONG);
  });
  socket.on("close", (code, reason) => {
    line.closed = { code, reason: String(reason) };
  });
  socket.on("error", () => undefined);
  return line;
}

function ofType<T extends FromAgent["type"]>(heard: FromAgent[], type: T): (FromAgent & { type: T })[] {
  return heard.filter((frame): frame is FromAgent & { type: T } => frame.type === type);
}

async function close(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
