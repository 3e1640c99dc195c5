import type { OrgScheduler } from "#durable/org-scheduler";
import { causeOf } from "#domain/errors";
import type { ToggleResult, ToggleRow } from "#domain/records/records";
import { log } from "#worker/log";
import type { Scheduler } from "#worker/services/scope";
import { sleep } from "#worker/sleep";

const SYNC_PATIENCE_MS = 2_000;
/** The browser gives up after 10 s; answer before that. */
const TOGGLE_PATIENCE_MS = 9_500;
const NOT_YET = "No answer yet; still trying";

/** The object that is an organization's scheduler. */
export function objectOf(namespace: DurableObjectNamespace<OrgScheduler>, org_id: string) {
  return namespace.get(namespace.idFromName(org_id));
}

/** Opens a socket to the object, for an answer to an upgrade; an object that fails is one that does not answer. */
export async function openSocket(
  namespace: DurableObjectNamespace<OrgScheduler>,
  request: Request,
  event: "scheduler.agent_failed" | "scheduler.live_failed",
  about: { org_id: string; agent_id?: string },
): Promise<Response> {
  try {
    return await objectOf(namespace, about.org_id).fetch(request);
  } catch (caught) {
    log("warn", event, { ...about, ...causeOf(caught) });
    return new Response(null, { status: 503 });
  }
}

/** Calls an organization's Durable Object on behalf of the services. Where it fails, all but the hints reject. */
export function schedulerOf(
  namespace: DurableObjectNamespace<OrgScheduler>,
  execution: Pick<ExecutionContext, "waitUntil">,
): Scheduler {
  const object = (org_id: string) => objectOf(namespace, org_id);
  const later = (org_id: string, event: string, work: Promise<void>) =>
    execution.waitUntil(
      Promise.resolve(work).catch((caught: unknown) => log("warn", event, { org_id, ...causeOf(caught) })),
    );

  return {
    /** The change is in D1 already, so a lost or slow hint must not fail the request. */
    sync: async (org_id) => {
      const hint = Promise.resolve(object(org_id).sync(org_id)).then(
        () => undefined,
        (caught: unknown) => log("warn", "scheduler.sync_failed", { org_id, ...causeOf(caught) }),
      );
      execution.waitUntil(hint);
      await Promise.race([hint, sleep(SYNC_PATIENCE_MS)]);
    },

    noteLists: (org_id, lists) => later(org_id, "scheduler.note_failed", object(org_id).noteLists(org_id, lists)),
    checkSessions: (org_id) => later(org_id, "scheduler.check_failed", object(org_id).checkSessions(org_id)),
    dropAgent: (org_id, agent_id) => later(org_id, "scheduler.drop_failed", object(org_id).dropAgent(org_id, agent_id)),

    toggle: (request) => {
      const { org_id, device_id, action } = request;
      const unanswered: ToggleResult = { success: false, action, state: "unknown", provider: null, detail: NOT_YET };
      return inTime(
        twice(() => object(org_id).toggle(request), { org_id, device_id }),
        unanswered,
      );
    },

    toggleMany: (request) => {
      const { org_id, device_ids } = request;
      const unanswered = device_ids.map((device_id): ToggleRow => ({
        device_id,
        success: false,
        pending: true,
        detail: NOT_YET,
      }));
      return inTime(
        twice(() => object(org_id).toggleMany(request), { org_id, devices: device_ids.length }),
        unanswered,
      );
    },

    explain: async (of) => object(of.org_id).explain(of),
    forecast: async (of) => object(of.org_id).forecast(of),
    preview: async (of) => object(of.org_id).preview(of),
    pingHub: async (test) => object(test.org_id).pingHub(test),
    readState: async (test) => object(test.org_id).readState(test),
    testSwitch: async ({ org_id, device_id, action }) => object(org_id).testSwitch({ org_id, device_id, action }),
    listHubAccount: async (of) => object(of.org_id).listHubAccount(of),
    testEmail: async (test) => object(test.org_id).testEmail(test),
    testMessage: async (test) => object(test.org_id).testMessage(test),
    sendWebhook: async (of) => object(of.org_id).sendWebhook(of),
    endTest: async (test) => object(test.org_id).endTest(test),
  };
}

/**
 * Asks again, once, where an object fails: one that is replaced by a release, or starts anew, serves the next call. Nobody
 * knows whether the first was kept, and to switch twice does no harm. Rejects where the second fails as well: then nobody
 * may be trying, and the person has to know.
 */
async function twice<T>(ask: () => Promise<T>, about: Record<string, string | number>): Promise<T> {
  try {
    return await ask();
  } catch (caught) {
    log("warn", "scheduler.toggle_failed", { ...about, ...causeOf(caught) });
    return ask();
  }
}

/** What the engine answers, or else `unanswered`: it has the wish, and its answer takes longer than a browser waits. */
function inTime<T>(answer: Promise<T>, unanswered: T): Promise<T> {
  return Promise.race([answer, sleep(TOGGLE_PATIENCE_MS).then(() => unanswered)]);
}
