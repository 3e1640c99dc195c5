import { randomUUID } from "node:crypto";
import { basename, join } from "node:path";

const [TOKEN, CRON] = ["X-Cron-Token", "X-Cron"];

/**
 * A worker for Miniflare whose crons this process can ring, and `ring(miniflare, cron)`, which resolves when the work is
 * done and rejects where it failed. Miniflare's own `getWorker()` stops this process until the worker answers. Who reads the
 * log is this process: a worker that has more to write meanwhile than a pipe holds, as when all browsers come back at once,
 * waits for it in turn, and both stand still for good.
 */
export function withCrons(worker) {
  const token = randomUUID();
  const [entry] = worker.modules;
  const contents = `
import worker from ${JSON.stringify(`./${basename(entry.path)}`)};
export * from ${JSON.stringify(`./${basename(entry.path)}`)};
export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (request.headers.get("${TOKEN}") !== "${token}") return worker.fetch(request, env, ctx);
    try {
      await worker.scheduled({ cron: request.headers.get("${CRON}"), scheduledTime: Date.now() }, env, ctx);
      return new Response();
    } catch (error) {
      return new Response(String(error), { status: 500 });
    }
  },
};
`;
  const crons = { type: "ESModule", path: join(worker.modulesRoot, "crons.js"), contents };
  return { worker: { ...worker, modules: [crons, ...worker.modules] }, ring };

  async function ring(miniflare, cron) {
    const headers = { [TOKEN]: token, [CRON]: cron };
    const response = await miniflare.dispatchFetch("http://localhost/", { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(text);
  }
}
