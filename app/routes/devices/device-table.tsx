import { memo } from "react";
import { StateBadge } from "#app/components/badges";
import { deviceHref, NameLink } from "#app/components/page-links";
import { useOrganization } from "#app/components/organization";
import { useLiveDevice } from "#app/live/states";
import { formatDated } from "#domain/time/display";
import { holdSentence } from "#domain/light/hold-sentence";
import { mayToggle } from "#domain/organization/permissions";
import type { DeviceProps } from "./device-card";
import { DeviceCorner } from "./device-corner";
import { SwitchButtons } from "./switch-buttons";
import { SwitchingBadge } from "./switching-badge";
import { useToggle } from "./use-toggle";

/** The lights as dense rows; on a narrow screen each has two lines. The default export is for onDemand(). */
export default function DeviceTable({ lights }: { lights: DeviceProps[] }) {
  return (
    // The rows' lines are those of a table whose own border has no round corners.
    <div className="card overflow-x-auto">
      <table aria-label="Devices" className="device-table">
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lights.map((light) => (
            <DeviceRow key={light.device.id} {...light} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const COLUMNS = ["Light", "Area", "State", "Now, and why", "Last update", "Switch", "More"];

function DeviceRow(props: DeviceProps) {
  const device = useLiveDevice(props.device);
  return <RowBody {...props} device={device} {...useToggle(device)} />;
}

type RowProps = DeviceProps & ReturnType<typeof useToggle>;

/** Memoized, as the cards are. */
const RowBody = memo(function RowBody(row: RowProps) {
  const { device, leads, told, isNoted, now, send, state, last_state_at, switching, pending } = row;
  const { user, zone } = useOrganization();
  const { id, name, area_name, problem, hold } = device;
  return (
    <tr data-state={state} data-problem={problem !== null || undefined}>
      <th scope="row">
        <NameLink to={deviceHref(id)} discover={leads ? "render" : "none"}>
          {name}
        </NameLink>
      </th>
      <td>{area_name}</td>
      <td>
        <StateBadge state={state} />
        <SwitchingBadge switching={switching} />
      </td>
      <td>{told?.sentence ?? problem ?? (hold && holdSentence(hold, zone, now))}</td>
      <td>{last_state_at ? formatDated(last_state_at, zone, now) : "Never"}</td>
      <td>
        <SwitchButtons
          device={device}
          pending={pending}
          refusal={told?.refusal ?? null}
          isNoted={isNoted}
          mayToggle={mayToggle(user, device)}
          onSwitch={send}
        />
      </td>
      <td>
        <DeviceCorner id={id} name={name} mayWrite={mayToggle(user, device)} />
      </td>
    </tr>
  );
});
