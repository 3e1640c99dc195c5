import { targetOfValue } from "#app/forms/target-value";
import { useOrganization } from "#app/components/organization";
import { useKept } from "#app/router/use-kept";
import { useDialog } from "#app/router/view";
import DeviceSwitch from "#app/routes/switch/device-switch";
import SwitchDialog from "#app/routes/switch/switch-dialog";
import { switchKindOf } from "#app/routes/switch/switch-kind";
import type { SwitchTarget } from "#app/routes/switch/switch-words";
import { holdSentence } from "#domain/light/hold-sentence";
import { emergencyOf } from "#domain/resolve/emergencies";
import { whyNoneIsSwitched, type Around } from "./around";

type Props = Pick<Around, "area" | "summary" | "devices" | "groups" | "emergencies" | "now">;

/** A toggle on all lights of the area, or of one of its groups; none where the buttons for it are gray. */
export default function AreaSwitch(listed: Props) {
  const { user, zone } = useOrganization();
  const { dialog, id: value, close, stay } = useDialog();
  const kind = switchKindOf(dialog);
  const isGone = deviceOf(value, listed) === undefined && targetOf(value, listed) === null;
  const around = useKept(listed, { id: value, isGone });
  const device = deviceOf(value, around);
  if (device) return <DeviceSwitch device={device} now={around.now} />;
  const target = targetOf(value, around);
  if (kind === null || target === null) return null;
  // The dashboard's link does not know whose lights they are.
  if (whyNoneIsSwitched(user, around.devices, target.lights) !== null) return null;
  const emergency = emergencyOf(around.emergencies, targetOfValue(value));
  return (
    <SwitchDialog
      key={`${kind} ${value}`}
      kind={kind}
      target={target}
      area_id={around.area.id}
      emergency={emergency && holdSentence(emergency, zone, around.now)}
      now={around.now}
      onClose={close}
      onDone={stay}
    />
  );
}

function deviceOf(value: string, { devices }: Pick<Around, "devices">) {
  return devices.find(({ id }) => id === value);
}

function targetOf(
  value: string,
  { area, summary, groups }: Pick<Around, "area" | "summary" | "groups">,
): SwitchTarget | null {
  const { type, id } = targetOfValue(value);
  if (type === "area") return { value, name: area.name, lights: summary.devices_total, isMany: true };
  const group = groups.find((known) => type === "group" && known.id === id);
  return group ? { value, name: group.name, lights: group.device_ids.length, isMany: true } : null;
}
