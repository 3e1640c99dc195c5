import { MapPin, Router, UserPlus } from "#app/ui/icons";
import { DeptBadge } from "#app/components/dept-badge";
import { useOrganization } from "#app/components/organization";
import { NameLink, areaHref, deviceHref, hubHref } from "#app/components/page-links";
import { opens } from "#app/router/view";
import type { Alarm, SilentHub } from "#domain/alarms/alarm-records";
import { alarmName } from "#domain/alarms/alarm-words";
import { formatDated } from "#domain/time/display";
import { Button } from "#app/ui/button";
import { Card } from "#app/ui/card";
import { AlarmActions } from "./alarm-actions";
import { BehindLink } from "./silent-hub-row";

/** `hub`: the silent hub that it is about, with the alarms that it explains. */
type Props = { alarm: Alarm; hub?: SilentHub };

/** An alarm: what is wrong in a sentence, where, who has it, and what to do about it. */
export function AlarmRow({ alarm, hub }: Props) {
  const name = alarmName(alarm);
  return (
    <li>
      <Card
        aria-label={`${name}: ${alarm.message}`}
        className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3"
      >
        <div className="min-w-0 flex-[2_1_18rem]">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <h2 className="min-w-0 font-semibold break-words">
              <Subject alarm={alarm} name={name} />
            </h2>
            <DeptBadge dept_id={alarm.dept_id} />
          </div>
          <p className={alarm.state === "over" ? "text-ink-soft" : "text-bad-text"}>{alarm.message}</p>
          {hub && <BehindLink hub={hub} />}
          <Place alarm={alarm} />
        </div>
        <Who alarm={alarm} />
        <AlarmActions alarm={alarm}>
          {alarm.state !== "over" && (
            <Button
              size="sm"
              icon={<UserPlus className="size-4" />}
              aria-label={`Assign: ${name}`}
              {...opens("assign", alarm.id)}
            >
              Assign...
            </Button>
          )}
        </AlarmActions>
      </Card>
    </li>
  );
}

function Subject({ alarm: { device_id, device_name, hub_name, area_id }, name }: { alarm: Alarm; name: string }) {
  if (device_id && device_name) return <NameLink to={deviceHref(device_id)}>{name}</NameLink>;
  if (hub_name) return <NameLink to={hubHref(hub_name, area_id)}>{name}</NameLink>;
  return name;
}

function Place({ alarm: { area_id, area_name, device_name, hub_name } }: { alarm: Alarm }) {
  return (
    <p className="text-ink-soft mt-1 flex flex-wrap gap-x-4 gap-y-0.5 empty:hidden [&_svg]:size-3.5 [&_svg]:shrink-0">
      {area_id && area_name && (
        <span className="flex items-center gap-1.5">
          <MapPin />
          <NameLink to={areaHref(area_id)}>{area_name}</NameLink>
        </span>
      )}
      {device_name && hub_name && (
        <span className="flex items-center gap-1.5">
          <Router />
          <NameLink to={hubHref(hub_name)}>{hub_name}</NameLink>
        </span>
      )}
    </p>
  );
}

function Who({ alarm: { acknowledged_at, acknowledged_by, assigned_email } }: { alarm: Alarm }) {
  const { zone, loaded_at } = useOrganization();
  return (
    <div className="text-ink-soft min-w-0 flex-[1_1_12rem] text-sm empty:hidden">
      {assigned_email && <p className="break-words">Assigned to {assigned_email}</p>}
      {acknowledged_at && acknowledged_by && (
        <p className="break-words">
          Acknowledged by {acknowledged_by}, {formatDated(acknowledged_at, zone, loaded_at)}
        </p>
      )}
    </div>
  );
}
