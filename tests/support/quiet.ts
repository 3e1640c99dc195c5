/** What the runtime says as a test file ends: its socket and its pipes close, and a busy machine was late. */
const NOISE = [
  /web-socket\.c\+\+:\d+: disconnected: WebSocket peer disconnected/,
  /async-io\.c\+\+:\d+: disconnected: /,
  /^NOSENTRY SQLite alarm overdue/,
];

/** Drops lines that nobody can do anything about, and under which a run's summary would be lost. */
export function dropNoise(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...more: never[]) =>
    (typeof chunk === "string" && NOISE.some((noise) => noise.test(chunk))) || write(chunk, ...more);
}
