import { Ban, CalendarPlus, Lightbulb, Moon, Power, Siren } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { useCan } from "#app/components/capability";
import { bookHref } from "#app/components/page-links";
import { targetValue } from "#app/forms/target-value";
import { opens } from "#app/router/view";
import type { Area, MayWrite } from "#domain/records/records";
import { Button } from "#app/ui/button";

type Props = {
  area: Area & MayWrite;
  lights: number;
  /** Why they are not switched by this person; null if they are. */
  why: string | null;
  /** Why none of them may go on now, as the page's note says; null if one may. */
  refusal: string | null;
};

/** What can be done with all lights of the area at once. Each asks first, and says how many lights it concerns. */
export function AreaToggles({ area, lights, why, refusal }: Props) {
  const mayPlan = useCan("schedule.save") && area.may_write;
  const mayDeclare = useCan("emergency.declare");
  const mayClose = useCan("closure.save") && area.may_write;
  const mayPermit = useCan("permit.save") && area.may_write;
  const value = targetValue({ type: "area", id: area.id });
  const place = new URLSearchParams({ new: "", area_id: area.id });
  if (lights === 0) return null;
  return (
    <div
      role="group"
      aria-label={`All lights of ${area.name}`}
      className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap"
    >
      {mayPlan && (
        <ButtonLink variant="primary" to={bookHref(area.id)} icon={<CalendarPlus />} className="max-sm:col-span-2">
          Book…
        </ButtonLink>
      )}
      <Button
        why={why ?? refusal}
        aria-describedby={why === null && refusal ? "guardrail" : undefined}
        icon={<Lightbulb />}
        {...opens("turn-on", value)}
      >
        All on…
      </Button>
      <Button why={why} icon={<Power />} {...opens("turn-off", value)}>
        All off…
      </Button>
      {mayClose && (
        <ButtonLink to={`/closures?${place}`} icon={<Ban />}>
          Close…
        </ButtonLink>
      )}
      {mayPermit && (
        <ButtonLink to={`/permits?${place}`} icon={<Moon />}>
          Permit…
        </ButtonLink>
      )}
      {mayDeclare && (
        <Button why={why} icon={<Siren />} {...opens("emergency", value)} className="max-sm:col-span-2">
          Emergency…
        </Button>
      )}
    </div>
  );
}
