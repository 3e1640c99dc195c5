import { on, once } from "node:events";
import { WebSocket } from "ws";

const PRODUCT = "core:user:lamplighter";
const PATIENCE_MS = 30_000;

/**
 * What the product's isolate keeps (MB) once its garbage is gone, by the runtime's inspector on that port: what the process
 * holds besides is garbage that nothing has asked for yet, compiled code and caches of SQLite. Null if the runtime is too
 * busy to answer.
 */
export async function heapOf(port) {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`http://127.0.0.1:${port}/json`, { signal });
    const product = (await response.json()).find(({ title }) => title.endsWith(PRODUCT));
    return await usedOf(product.webSocketDebuggerUrl, signal);
  } catch (error) {
    if (error.name === "TimeoutError" || error.name === "AbortError") return null;
    throw error;
  }
}

async function usedOf(url, signal) {
  const socket = new WebSocket(url);
  try {
    const messages = on(socket, "message", { signal });
    const ask = (method) => answer(socket, messages, method);
    await once(socket, "open", { signal });
    await ask("HeapProfiler.enable");
    await ask("HeapProfiler.collectGarbage");
    const { usedSize } = await ask("Runtime.getHeapUsage");
    return usedSize / 2 ** 20;
  } finally {
    socket.close();
  }
}

/** One call after the other; what the runtime tells by itself in between is nobody's matter here. */
async function answer(socket, messages, method) {
  socket.send(JSON.stringify({ id: 1, method }));
  for (;;) {
    const { value } = await messages.next();
    const message = JSON.parse(value[0]);
    if (message.id === 1) return message.result;
  }
}
