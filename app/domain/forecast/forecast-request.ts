import type { Segment } from "./forecast-segments";

/** What the engine is asked for: `from` and `to` are epoch ms; what is past of them is left out. */
export type ForecastRequest = { device_ids: string[]; from: number; to: number };

/** `next` is the first device that was not looked at, since the work of one call is bounded; null after the last. */
export type Forecast = { data: { device_id: string; segments: Segment[] }[]; next: string | null };
