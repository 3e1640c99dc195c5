import { useOrganization } from "#app/components/organization";
import { useDialog } from "#app/router/view";
import { holdSentence } from "#domain/light/hold-sentence";
import type { Device } from "#domain/records/records";
import { switchKindOf } from "./switch-kind";
import SwitchDialog from "./switch-dialog";

type Props = { device: Pick<Device, "id" | "name" | "hold"> | undefined; now: number };

/** A toggle with an end on one light. */
export default function DeviceSwitch({ device, now }: Props) {
  const { zone } = useOrganization();
  const { dialog, id, close, stay } = useDialog();
  const kind = switchKindOf(dialog);
  if (kind === null || device?.id !== id) return null;
  const { name, hold } = device;
  return (
    <SwitchDialog
      key={`${kind} ${id}`}
      kind={kind}
      target={{ value: id, name, lights: 1, isMany: false }}
      emergency={hold?.emergency ? holdSentence(hold, zone, now) : null}
      now={now}
      onClose={close}
      onDone={stay}
    />
  );
}
