import type { SwitchAction, ToggleAction } from "#domain/enums";
import type { Device } from "#domain/records/records";
import { MAY_ONLY_LOOK } from "#domain/organization/permissions";
import { Lightbulb, Power } from "#app/ui/icons";
import { useId, type MouseEvent } from "react";
import { useIsLost } from "#app/router/connection";
import { opens } from "#app/router/view";
import { Button } from "#app/ui/button";

/** The form that the cards of a list share: one in each would be a tenth of the page. */
export const TOGGLE_FORM = "toggle";

type Props = {
  device: Pick<Device, "id" | "name" | "hold">;
  pending: boolean;
  /** Why ON is refused now; null if it is allowed. */
  refusal: string | null;
  /** Whether a note on the page says so for all its lights. */
  isNoted: boolean;
  mayToggle: boolean;
  /** On a list's cards, which share one form: switches this light. Without it the buttons stand in a form of their own. */
  onSwitch?: (action: ToggleAction) => void;
};

/**
 * An OFF that would end an emergency asks first. Big enough for a thumb, and without color, so that only a lit lamp glows. Both stay enabled in any state, because the
 * reported state may be outdated.
 */
export function SwitchButtons({ device, pending, refusal, isNoted, mayToggle, onSwitch }: Props) {
  const note = useId();
  const isLost = useIsLost();
  const why = mayToggle ? null : MAY_ONLY_LOOK;
  const described = why === null ? (isLost ? "offline" : undefined) : note;
  const off = onSwitch ? shared("off", device.id, onSwitch) : own("off");
  return (
    <>
      <div className="pair">
        <Button
          disabled={pending}
          why={why ?? refusal}
          icon={<Lightbulb />}
          aria-label={`Turn on ${device.name}`}
          aria-describedby={described ?? (refusal && isNoted ? "guardrail" : undefined)}
          {...(onSwitch ? shared("on", device.id, onSwitch) : own("on"))}
        >
          ON
        </Button>
        <Button
          disabled={pending}
          why={why}
          icon={<Power />}
          aria-label={`Turn off ${device.name}`}
          aria-describedby={described}
          {...(device.hold?.emergency ? opens("turn-off", device.id) : off)}
        >
          OFF
        </Button>
      </div>
      {onSwitch && device.hold?.emergency === false && why === null && (
        <Button size="sm" className="w-full" disabled={pending} {...shared("auto", device.id, onSwitch)}>
          Back to the schedule
        </Button>
      )}
      {why !== null && (
        <p id={note} className="text-ink-soft mt-2 text-xs">
          {why}
        </p>
      )}
    </>
  );
}

function own(action: SwitchAction) {
  return { type: "submit", name: "action", value: action } as const;
}

/** Without a script, the form that the cards share is sent with the light's id as the action's value. */
function shared(action: ToggleAction, id: string, onSwitch: (action: ToggleAction) => void) {
  return {
    type: "submit",
    form: TOGGLE_FORM,
    name: action,
    value: id,
    onClick: (event: MouseEvent) => {
      event.preventDefault();
      onSwitch(action);
    },
  } as const;
}
