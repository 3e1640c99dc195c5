/** Harmless output of the runtime at the end of a test file: closing sockets and pipes, and a busy machine's delays. */
const NOISE = [
  /web-socket\.c\+\+:\d+: disconnected: WebSocket peer disconnected/,
  /async-io\.c\+\+:\d+: disconnected: /,
  /^NOSENTRY SQLite alarm overdue/,
];

/** Drops the harmless lines, which would bury the run's summary. */
export function dropNoise(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream);
  stream.write = (chunk: string | Uint8Array, ...more: never[]) =>
    (typeof chunk === "string" && NOISE.some((noise) => noise.test(chunk))) || write(chunk, ...more);
}
