import { Lightbulb, Power, Siren, TimerReset } from "#app/ui/icons";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { opens } from "#app/router/view";
import type { Explanation } from "#domain/explanation";
import { mayToggle } from "#domain/permissions";
import type { Device } from "#domain/records";
import { Button } from "#app/ui/button";

type Props = { device: Device; explanation: Explanation | null; pending: boolean };

/** What a light's page offers besides ON and OFF: a press with an end, the way back to the schedule, an emergency. */
export function DevicePresses({ device, explanation, pending }: Props) {
  const { user } = useOrganization();
  const mayDeclare = useCan("emergency.declare");
  if (!mayToggle(user, device)) return null;
  const { id, name } = device;
  return (
    <div role="group" aria-label={`More for ${name}`} className="mt-2 grid grid-cols-2 gap-2">
      <Button icon={<Lightbulb />} {...opens("turn-on", id)}>
        On until…
      </Button>
      <Button icon={<Power />} {...opens("turn-off", id)}>
        Off until…
      </Button>
      {isPressed(device, explanation) && (
        <Button
          type="submit"
          name="action"
          value="auto"
          disabled={pending}
          icon={<TimerReset />}
          className="max-sm:col-span-2"
        >
          Back to the schedule
        </Button>
      )}
      {mayDeclare && (
        <Button icon={<Siren />} {...opens("emergency", id)} className="max-sm:col-span-2">
          Emergency…
        </Button>
      )}
    </div>
  );
}

/** Whether somebody's press keeps it from its schedule: the way back would change something. */
function isPressed({ hold }: Device, explanation: Explanation | null): boolean {
  if (hold !== null && !hold.emergency) return true;
  if (explanation === null) return false;
  const { toggle, reason } = explanation;
  return toggle.off_at !== null || toggle.on_at !== null || reason === "external";
}
