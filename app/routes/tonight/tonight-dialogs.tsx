import { useDialog } from "#app/router/view";
import { useAsked } from "#app/routes/detail/use-asked";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import { RECORD_FAILED, recordHref } from "#app/routes/schedules/record-href";
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
  const href = isSkip && !isLoaded ? recordHref(id, night.frame.date) : null;
  const asked = useAsked<DescribedSchedule>(href, RECORD_FAILED);
  const schedule = isLoaded ? skipped : asked;
  // A phone's panel lies over the toast, in which the skip can be taken back.
  const onDone = () => (close(), onSkipped());
  const lights = night.rows.flatMap(({ lights: loaded }) => loaded ?? []);
  if (isSkip) {
    if (!schedule?.may_write) return null;
    return <SkipDialog key={id} schedule={schedule} onClose={close} onDone={onDone} />;
  }
  const light = lights.find((each) => each.id === id) ?? (chosen?.light.id === id ? chosen.light : undefined);
  return <DeviceSwitch device={light} now={night.now} />;
}
