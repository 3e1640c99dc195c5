import type { Segment } from "#domain/forecast/forecast-segments";
import type { Scheduler } from "#worker/services/scope";

/** An engine that foresees so much of each light, and does nothing else; null if it does not answer. */
export function scriptedForecast(segments: Record<string, Segment[]> | null): Scheduler {
  const silent = () => Promise.reject(new Error("the engine is away"));
  return {
    sync: async () => undefined,
    noteLists: () => undefined,
    checkSessions: () => undefined,
    dropAgent: () => undefined,
    toggle: silent,
    toggleMany: silent,
    explain: silent,
    preview: silent,
    listHubAccount: silent,
    pingHub: silent,
    readState: silent,
    testSwitch: silent,
    testEmail: silent,
    testMessage: silent,
    sendWebhook: silent,
    endTest: silent,
    forecast: async ({ device_ids }) => {
      if (segments === null) return silent();
      return { data: device_ids.map((device_id) => ({ device_id, segments: segments[device_id] ?? [] })), next: null };
    },
  };
}
