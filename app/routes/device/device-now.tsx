import { Lightbulb } from "#app/ui/icons";
import { StateBadge } from "#app/components/badges";
import { useOrganization } from "#app/components/organization";
import { DeptBadge } from "#app/components/dept-badge";
import { ProblemBadge } from "#app/components/problem-badge";
import { HiddenFields } from "#app/forms/hidden-fields";
import { DeviceToggles } from "#app/routes/switch/device-toggles";
import { RefusalNote } from "#app/routes/devices/guardrail-note";
import { SwitchButtons } from "#app/routes/devices/switch-buttons";
import { SwitchingBadge } from "#app/routes/devices/switching-badge";
import { submittedAction, useToggle } from "#app/routes/devices/use-toggle";
import { formatDated } from "#domain/time/display";
import type { Explanation } from "#domain/resolve/explanation";
import { mayToggle } from "#domain/organization/permissions";
import type { Device } from "#domain/records/records";
import { Card } from "#app/ui/card";
import { classes } from "#app/ui/classes";

type Props = { device: Device; explanation: Explanation | null };

/** The light's state, its reason, and the two buttons that change it. */
export function DeviceNow({ device, explanation }: Props) {
  const { user, zone, loaded_at } = useOrganization();
  const refusal = explanation?.refusal ?? null;
  const { Form, request, state, last_state_at, switching, pending } = useToggle(device);
  return (
    <Card
      aria-label="Now"
      data-state={state}
      className="data-[state=on]:border-lit-line data-[state=on]:bg-lit-soft flex flex-col gap-4 p-4 sm:p-5"
    >
      <div className="flex items-start gap-4">
        <span className={classes("flex size-14 shrink-0 items-center justify-center rounded-full", `lamp-${state}`)}>
          <Lightbulb className="size-7" />
        </span>
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap gap-1.5">
            <StateBadge state={state} />
            <DeptBadge dept_id={device.dept_id} />
            <SwitchingBadge switching={switching} />
            {device.problem && <ProblemBadge since={device.problem_since} />}
          </div>
          <p className="mt-1.5 text-base font-medium">{explanation?.sentence ?? UNEXPLAINED}</p>
          <p className="text-ink-soft mt-0.5 text-sm">
            Last update {last_state_at ? formatDated(last_state_at, zone, loaded_at) : "Never"}
          </p>
        </div>
      </div>
      <Form method="post" onSubmit={(event) => request(submittedAction(event))} className="sm:max-w-sm">
        <HiddenFields intent="toggle" id={device.id} />
        <SwitchButtons
          device={device}
          pending={pending}
          refusal={refusal}
          isNoted
          mayToggle={mayToggle(user, device)}
        />
        <RefusalNote refusal={refusal} />
        <DeviceToggles
          device={{ ...device, current_state: state }}
          explanation={explanation}
          refusal={refusal}
          pending={pending}
        />
      </Form>
    </Card>
  );
}

const UNEXPLAINED = "The reason is not known right now; it is asked for again in a moment.";
