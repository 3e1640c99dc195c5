import { Lightbulb } from "#app/ui/icons";
import { memo } from "react";
import { StateBadge } from "#app/components/badges";
import { DeptBadge } from "#app/components/dept-badge";
import { ProblemBadge } from "#app/components/problem-badge";
import { useOrganization } from "#app/components/organization";
import { useLiveDevice } from "#app/live/states";
import { formatDated } from "#domain/time/display";
import { holdSentence } from "#domain/light/hold-sentence";
import { mayToggle } from "#domain/organization/permissions";
import type { Told } from "#domain/light/refusal";
import { Card, Fact } from "#app/ui/card";
import { NameLink, deviceHref } from "#app/components/page-links";
import { DeviceCorner } from "./device-corner";
import type { ListedDevice } from "./listed-device";
import { SwitchButtons } from "./switch-buttons";
import { SwitchingBadge } from "./switching-badge";
import { useToggle } from "./use-toggle";

/** `leads`: its link makes the browser learn the route of a light's page, which is the same for all. */
export type DeviceProps = {
  device: ListedDevice;
  leads: boolean;
  told: Told | undefined;
  /** Whether a note above the list says why no light of it may go on. */
  isNoted: boolean;
  now: number;
};

export function DeviceCard(props: DeviceProps) {
  const device = useLiveDevice(props.device);
  return <CardBody {...props} device={device} {...useToggle(device)} />;
}

/** Memoized: there are sixty, and the router's state changes with every request. */
const CardBody = memo(function CardBody({
  device,
  leads,
  told,
  isNoted,
  now,
  send,
  state,
  last_state_at,
  switching,
  pending,
}: DeviceProps & ReturnType<typeof useToggle>) {
  const { user, zone } = useOrganization();
  const mayWrite = mayToggle(user, device);
  return (
    <li className="device">
      <Card aria-label={device.name} data-state={state} data-problem={device.problem !== null || undefined}>
        <header>
          <i className={`lamp-${state}`}>
            <Lightbulb />
          </i>
          <div>
            <h2>
              <NameLink to={deviceHref(device.id)} discover={leads ? "render" : "none"}>
                {device.name}
              </NameLink>
            </h2>
            <p>{device.area_name}</p>
          </div>
          <DeviceCorner id={device.id} name={device.name} mayWrite={mayWrite} />
        </header>
        <div className="badges">
          <StateBadge state={state} />
          <SwitchingBadge switching={switching} />
          {device.problem && <ProblemBadge since={device.problem_since} />}
          <DeptBadge dept_id={device.dept_id} />
        </div>
        {/* The line stays, even empty, so that cards keep their height. */}
        <p>{told?.sentence ?? device.problem ?? (device.hold && holdSentence(device.hold, zone, now))}</p>
        <dl className="facts">
          <Fact label="Model">{device.model || "N/A"}</Fact>
          <Fact label="Hub">{device.hub_name ?? "No Hub"}</Fact>
          <Fact label="Last update">{last_state_at ? formatDated(last_state_at, zone, now) : "Never"}</Fact>
          <Fact label="Cloud ID">{device.cloud_device_id ?? "N/A"}</Fact>
        </dl>
        <SwitchButtons
          device={device}
          pending={pending}
          refusal={told?.refusal ?? null}
          isNoted={isNoted}
          mayToggle={mayWrite}
          onSwitch={send}
        />
      </Card>
    </li>
  );
});
