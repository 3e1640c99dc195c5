import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { serverThat } from "#tests/support/loopback";

type Heard = { asked: string; headers: IncomingHttpHeaders; body: string };

/** A stand-in for a service that carries messages: answers each request with `answer`, until `closeServers`. */
export async function aService(answer: (response: ServerResponse) => void): Promise<{ base: string; heard: Heard[] }> {
  const heard: Heard[] = [];
  const base = await serverThat((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      heard.push({ asked: `${request.method} ${request.url}`, headers: request.headers, body });
      answer(response);
    });
  });
  return { base, heard };
}

export function answers(status: number, body: unknown): (response: ServerResponse) => void {
  return (response) => response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
}
