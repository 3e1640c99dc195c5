import { useDialog } from "#app/router/view";
import { useJson } from "#app/router/use-json";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import { recordHref } from "#app/routes/schedules/record-href";
import SkipDialog from "#app/routes/schedules/skip-dialog";
import DeviceSwitch from "#app/routes/switch/device-switch";
import type { Chosen } from "./chosen";
import type { Night } from "./night";

type Props = { night: Night; chosen: Chosen | null; skipped: DescribedSchedule | null; onSkipped: () => void };

/** The forms that the panel and the list open. Without script the page brings the schedule that is to be skipped. */
export default function TonightDialogs({ night, chosen, skipped, onSkipped }: Props) {
  const { dialog, id, close } = useDialog();
  const isSkip = dialog === "skip";
  const isLoaded = skipped?.id === id;
  const asked = useJson<DescribedSchedule>(isSkip && !isLoaded ? recordHref(id) : null);
  const schedule = isLoaded ? skipped : asked;
  // A phone's panel lies over the toast, in which the skip can be taken back.
  const onDone = () => (close(), onSkipped());
  if (isSkip) return schedule ? <SkipDialog key={id} schedule={schedule} onClose={close} onDone={onDone} /> : null;
  const lights = night.rows.flatMap(({ lights: loaded }) => loaded ?? []);
  const light = lights.find((each) => each.id === id) ?? (chosen?.light.id === id ? chosen.light : undefined);
  return <DeviceSwitch device={light} now={night.now} />;
}
