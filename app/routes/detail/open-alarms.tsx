import { Siren } from "#app/ui/icons";
import { NameLink, deviceHref } from "#app/components/page-links";
import { AlarmActions } from "#app/routes/alarms/alarm-actions";
import { Section } from "#app/routes/detail/section";
import type { Alarm } from "#domain/alarms/alarm-records";
import { alarmName } from "#domain/alarms/alarm-words";

type Props = {
  alarms: Alarm[];
  /** Whether each alarm names its light or hub, as on an area's page. */
  namesDevices?: true;
};

/** The alarms that are not over; nothing where all is well. */
export function OpenAlarms({ alarms, namesDevices }: Props) {
  const area_id = alarms[0]?.area_id;
  if (alarms.length === 0) return null;
  const all = area_id ? `/alarms?${new URLSearchParams({ area: area_id })}` : "/alarms";
  return (
    <Section icon={Siren} title="Open alarms" more={{ to: all, label: "All alarms" }}>
      <ul className="divide-line divide-y">
        {alarms.map((alarm) => (
          <li key={alarm.id} className="px-4 py-2.5">
            {namesDevices && <Name alarm={alarm} />}
            <p className="text-bad-text">{alarm.message}</p>
            {alarm.acknowledged_by && (
              <p className="text-ink-soft text-sm break-words">Acknowledged by {alarm.acknowledged_by}</p>
            )}
            <div className="mt-2 empty:hidden">
              <AlarmActions alarm={alarm} />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Name({ alarm }: { alarm: Alarm }) {
  const name = alarmName(alarm);
  return (
    <p className="font-medium break-words">
      {alarm.device_id ? <NameLink to={deviceHref(alarm.device_id)}>{name}</NameLink> : name}
    </p>
  );
}
