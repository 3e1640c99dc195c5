import type { Device } from "#domain/records";
import { Lightbulb, Power } from "#app/ui/icons";
import { useId } from "react";
import { useIsLost } from "#app/router/connection";
import { Button } from "#app/ui/button";

type Props = {
  device: Device;
  pending: boolean;
  /** Why ON is refused now; null if it is allowed. */
  guardrail: string | null;
  mayToggle: boolean;
};

/**
 * Big enough for a thumb, and without color, so that only a lit lamp glows. Both stay enabled in any state, because the
 * reported state may be outdated.
 */
export function SwitchButtons({ device, pending, guardrail, mayToggle }: Props) {
  const note = useId();
  const isLost = useIsLost();
  const why = mayToggle ? null : "You may look at this department's lights, not switch them.";
  const described = why === null ? (isLost ? "offline" : undefined) : note;
  return (
    <>
      <div role="group" aria-label={`Switch ${device.name}`} className="pair">
        <Button
          disabled={pending}
          why={why ?? guardrail}
          icon={<Lightbulb />}
          aria-label={`Turn on ${device.name}`}
          aria-describedby={described ?? (guardrail ? "guardrail" : undefined)}
          type="submit"
          name="action"
          value="on"
        >
          ON
        </Button>
        <Button
          disabled={pending}
          why={why}
          icon={<Power />}
          aria-label={`Turn off ${device.name}`}
          aria-describedby={described}
          type="submit"
          name="action"
          value="off"
        >
          OFF
        </Button>
      </div>
      {why !== null && (
        <p id={note} className="text-ink-soft mt-2 text-xs">
          {why}
        </p>
      )}
    </>
  );
}
