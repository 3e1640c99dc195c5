import { meta } from "#durable/state/meta";
import { transact, type EngineContext } from "#durable/state/context";
import { plan } from "#durable/state/plan";
import { setBack } from "#durable/state/set-back";
import { reconcileLater } from "./apply";

/**
 * After a clock that was hours ahead, puts right what was set by it, and looks at every light: what began in between was
 * taken for over, and nothing would wake it. To be called before anything else is done by the new time.
 */
export function followClock(context: EngineContext): void {
  const by_ms = context.takeSetBack();
  const hasPlan = meta(context.sql, "version") !== null;
  if (by_ms === 0 || !hasPlan) return;
  context.log({ level: "warn", event: "clock.set_back", by_ms });
  context.agents.beginAnew();
  context.agents.forgetReturns();
  transact(context, () => {
    const { sql, now } = context;
    setBack(sql, now(), by_ms);
    for (const id of plan.deviceIds(sql)) reconcileLater(context, id);
  });
}
