import { text } from "#app/forms/form-answer";
import { endSent, momentSent } from "#app/forms/moment-sent";
import { targetOfValue } from "#app/forms/target-value";

/**
 * What the form of a permit or a closure says. Without a start it begins now, also one that had another; without an end a
 * closure lasts until somebody reopens the place. The moment of it is left to the service: a form that is sent again has to
 * say the same as before. `now` is epoch ms.
 */
export function limitSent(form: FormData, zone: string, now: number) {
  return {
    target: targetOfValue(text(form, "target")),
    from: momentSent(form, "from", zone) ?? undefined,
    to: endSent(form, "to", zone, now),
    reason: text(form, "reason"),
  };
}
