import type { Device } from "#domain/records";
import type { DeviceState, SwitchAction } from "#domain/words";
import { Button } from "#app/ui/button";

type Props = {
  device: Device;
  state: DeviceState;
  pending: boolean;
  /** Why ON is refused at the moment. */
  guardrail: string | null;
  mayToggle: boolean;
  onToggle: (action: SwitchAction) => void;
};

/** Big enough for a thumb. Pressing the state that it has is allowed: a lamp may not be what was last heard of it. */
export function SwitchButtons({ device, state, pending, guardrail, mayToggle, onToggle }: Props) {
  return (
    <div role="group" aria-label={`Switch ${device.name}`} className="grid grid-cols-2 gap-2">
      <Button
        look={state === "on" ? "secondary" : "lit"}
        disabled={pending || !mayToggle || guardrail !== null}
        aria-label={`Turn on ${device.name}`}
        aria-describedby={guardrail ? "guardrail" : undefined}
        onClick={() => onToggle("on")}
      >
        ON
      </Button>
      <Button disabled={pending || !mayToggle} aria-label={`Turn off ${device.name}`} onClick={() => onToggle("off")}>
        OFF
      </Button>
    </div>
  );
}
