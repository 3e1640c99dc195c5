import { causeOf } from "#domain/errors";
import type { DataPoint } from "#domain/operations/metrics";
import { log } from "#worker/log";

/** Writes a data point where the deployment measures anything. Never throws: what is measured goes on. */
export function measure(metrics: AnalyticsEngineDataset | undefined, point: DataPoint): void {
  try {
    metrics?.writeDataPoint(point);
  } catch (caught) {
    log("warn", "metrics.failed", causeOf(caught));
  }
}
