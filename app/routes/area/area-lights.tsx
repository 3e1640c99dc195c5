import { Lightbulb } from "#app/ui/icons";
import { StateBadge } from "#app/components/badges";
import { hiddenSentence } from "#app/components/hidden-sentence";
import { useOrganization } from "#app/components/organization";
import { ProblemBadge } from "#app/components/problem-badge";
import { useLiveDevice } from "#app/live/states";
import { HiddenFields } from "#app/forms/hidden-fields";
import { Nothing, Section } from "#app/routes/detail/section";
import { NameLink, deviceHref } from "#app/components/page-links";
import { SwitchButtons } from "#app/routes/devices/switch-buttons";
import { SwitchingBadge } from "#app/routes/devices/switching-badge";
import { submittedAction, useToggle } from "#app/routes/devices/use-toggle";
import type { AreaDetail } from "#domain/records/detail-records";
import { mayToggle } from "#domain/organization/permissions";

type Light = AreaDetail["devices"][number];
type Props = Pick<AreaDetail, "summary" | "devices"> & { area_id: string; isNoted: boolean };

/** The area's lights, each with its reason and its two buttons. */
export function AreaLights({ area_id, summary, devices, isNoted }: Props) {
  const all = `/devices?${new URLSearchParams({ area: area_id })}`;
  return (
    <Section
      icon={Lightbulb}
      title={`Lights: ${summary.devices_on} of ${summary.devices_total} on`}
      more={{ to: all, label: "All lights" }}
    >
      {devices.length === 0 ? (
        summary.devices_hidden === 0 && <Nothing>No lights here yet.</Nothing>
      ) : (
        <ul className="divide-line divide-y">
          {devices.map((device) => (
            <LightRow key={device.id} device={device} isNoted={isNoted} />
          ))}
        </ul>
      )}
      {summary.devices_hidden > 0 && (
        <div className="border-line border-t first:border-t-0">
          <Nothing>{hiddenSentence(summary.devices_hidden)}</Nothing>
        </div>
      )}
    </Section>
  );
}

function LightRow({ device: loaded, isNoted }: { device: Light; isNoted: boolean }) {
  const device = useLiveDevice(loaded);
  const { user } = useOrganization();
  const { Form, request, state, switching, pending } = useToggle(device);
  return (
    <li
      data-state={state}
      className="data-[state=on]:bg-lit-soft flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2.5 data-[state=on]:shadow-[inset_4px_0_0_var(--lit)]"
    >
      <div className="min-w-0 flex-[1_1_14rem]">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <NameLink to={deviceHref(device.id)} className="min-w-0 font-medium">
            {device.name}
          </NameLink>
          <StateBadge state={state} />
          <SwitchingBadge switching={switching} />
          {device.problem && <ProblemBadge since={device.problem_since} />}
        </p>
        <p className="text-ink-soft text-sm empty:hidden">{device.sentence}</p>
      </div>
      <Form method="post" onSubmit={(event) => request(submittedAction(event))} className="w-full sm:w-52">
        <HiddenFields intent="toggle" id={device.id} />
        <SwitchButtons
          device={device}
          pending={pending}
          refusal={device.refusal}
          isNoted={isNoted}
          mayToggle={mayToggle(user, device)}
        />
      </Form>
    </li>
  );
}
