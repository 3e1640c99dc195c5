import { Lightbulb } from "#app/ui/icons";
import { createContext, memo, useContext } from "react";
import { StateBadge } from "#app/components/badges";
import { useCan } from "#app/components/capability";
import { CardActions } from "#app/components/card-actions";
import { DeptBadge } from "#app/components/dept-badge";
import { ProblemBadge } from "#app/components/problem-badge";
import { useOrganization } from "#app/components/organization";
import { useLiveDevice } from "#app/live/states";
import { SelectBox } from "#app/selection/select-box";
import type { Choosing } from "#app/selection/use-selection";
import { formatInstant } from "#domain/display";
import { holdSentence } from "#domain/hold-sentence";
import { mayToggle } from "#domain/permissions";
import type { Told } from "#domain/refusal";
import { Card, Fact } from "#app/ui/card";
import { NameLink, deviceHref } from "#app/components/page-links";
import type { ListedDevice } from "./listed-device";
import { LAMPS } from "./lamps";
import { SwitchButtons } from "./switch-buttons";
import { SwitchingBadge } from "./switching-badge";
import { useToggle } from "./use-toggle";

/** `leads`: its link makes the browser learn the route of a light's page, which is the same for all. */
type Props = {
  device: ListedDevice;
  leads: boolean;
  told: Told | undefined;
  /** Whether a note above the list says why no light of it may go on. */
  isNoted: boolean;
  now: number;
};

/** The selection, as a context: a card's props do not change with it, so the card does not render again. */
const Selecting = createContext<Choosing | null>(null);
export const SelectingProvider = Selecting.Provider;

export function DeviceCard(props: Props) {
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
}: Props & ReturnType<typeof useToggle>) {
  const { user, zone } = useOrganization();
  const isLit = state === "on";
  return (
    <li className="device">
      <Card aria-label={device.name} data-state={state} data-problem={device.problem !== null || undefined}>
        <header>
          <i className={LAMPS[state]}>
            <Lightbulb className="size-5" fill={isLit ? "currentColor" : "none"} />
          </i>
          <div>
            <h2>
              <NameLink to={deviceHref(device.id)} discover={leads ? "render" : "none"}>
                {device.name}
              </NameLink>
            </h2>
            <p>{device.area_name}</p>
          </div>
          <Corner {...device} />
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
          <Fact label="Last update">{last_state_at ? formatInstant(last_state_at, zone) : "Never"}</Fact>
          <Fact label="Cloud ID">{device.cloud_device_id ?? "N/A"}</Fact>
        </dl>
        <SwitchButtons
          device={device}
          pending={pending}
          refusal={told?.refusal ?? null}
          isNoted={isNoted}
          mayToggle={mayToggle(user, device)}
          onSwitch={send}
        />
      </Card>
    </li>
  );
});

function Corner({ id, name }: ListedDevice) {
  const selection = useContext(Selecting);
  const mayEdit = useCan("device.save");
  const mayDelete = useCan("device.delete");
  if (selection?.isOn) return <SelectBox id={id} name={name} selection={selection} />;
  return <CardActions id={id} name={name} mayEdit={mayEdit} mayDelete={mayDelete} />;
}
