import { CalendarPlus, Lightbulb, Power, Siren, TimerReset } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { useOrganization } from "#app/components/organization";
import { bookHref } from "#app/components/page-links";
import { opens } from "#app/router/view";
import type { Explanation } from "#domain/resolve/explanation";
import { mayToggle } from "#domain/organization/permissions";
import type { Device } from "#domain/records/records";
import { Button } from "#app/ui/button";

type Props = {
  device: Device;
  explanation: Explanation | null;
  /** Why ON is refused now, as the note beside the buttons says; null if it is allowed. */
  refusal: string | null;
  pending: boolean;
};

/**
 * What a light's page offers besides ON and OFF: a toggle with an end, a booking, the way back to the schedule, an emergency.
 * The toggle that changes its state is the first thing one does here.
 */
export function DeviceToggles({ device, explanation, refusal, pending }: Props) {
  const { user } = useOrganization();
  const mayPlan = useCan("schedule.save");
  const mayDeclare = useCan("emergency.declare");
  if (!mayToggle(user, device)) return null;
  const { id, name, area_id, current_state } = device;
  const isOn = current_state === "on";
  return (
    <div role="group" aria-label={`More for ${name}`} className="mt-2 grid grid-cols-2 gap-2">
      <Button
        variant={isOn || refusal ? "secondary" : "primary"}
        why={refusal}
        aria-describedby={refusal ? "guardrail" : undefined}
        icon={<Lightbulb />}
        {...opens("turn-on", id)}
      >
        On until…
      </Button>
      <Button variant={isOn ? "primary" : "secondary"} icon={<Power />} {...opens("turn-off", id)}>
        Off until…
      </Button>
      {mayPlan && (
        <ButtonLink to={bookHref(area_id, id)} icon={<CalendarPlus />}>
          Book…
        </ButtonLink>
      )}
      {isToggled(device, explanation) && (
        <Button type="submit" name="action" value="auto" disabled={pending} icon={<TimerReset />}>
          Back to the schedule
        </Button>
      )}
      {mayDeclare && (
        <Button icon={<Siren />} {...opens("emergency", id)}>
          Emergency…
        </Button>
      )}
    </div>
  );
}

/** Whether somebody's toggle keeps it from its schedule: the way back would change something. */
function isToggled({ hold }: Device, explanation: Explanation | null): boolean {
  if (hold !== null && !hold.emergency) return true;
  if (explanation === null) return false;
  const { toggle, reason } = explanation;
  return toggle.off_at !== null || toggle.on_at !== null || reason === "external";
}
