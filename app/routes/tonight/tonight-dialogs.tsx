import { useDialog } from "#app/router/view";
import { useAsked } from "#app/routes/detail/use-asked";
import type { DescribedSchedule } from "#app/routes/schedules/schedule-row";
import { RECORD_FAILED, recordHref } from "#app/routes/schedules/record-href";
import SkipDialog from "#app/routes/schedules/skip-dialog";
import DeviceSwitch from "#app/routes/switch/device-switch";
import type { NightLight } from "#domain/tonight/tonight";
import type { Chosen } from "./chosen";
import type { Night } from "./night";

type Props = { night: Night; chosen: Chosen | null; skipped: DescribedSchedule | null; onSkipped: () => void };

/** The forms that the panel and the list open. Without script the page brings the schedule that is to be skipped. */
export default function TonightDialogs({ night, chosen, skipped, onSkipped }: Props) {
  const { dialog, id, close } = useDialog();
  const isSkip = dialog === "skip";
  const isLoaded = skipped?.id === id;
  const asked = useAsked<DescribedSchedule>(isSkip && !isLoaded ? recordHref(id) : null, RECORD_FAILED);
  const schedule = isLoaded ? skipped : asked;
  // A phone's panel lies over the toast, in which the skip can be taken back.
  const onDone = () => (close(), onSkipped());
  const lights = night.rows.flatMap(({ lights: loaded }) => loaded ?? []);
  if (isSkip) {
    if (!schedule) return null;
    return <SkipDialog key={id} schedule={shownOf(schedule, lights, night)} onClose={close} onDone={onDone} />;
  }
  const light = lights.find((each) => each.id === id) ?? (chosen?.light.id === id ? chosen.light : undefined);
  return <DeviceSwitch device={light} now={night.now} />;
}

/** The schedule with the night that is on screen alone: whoever skips from Friday's page means Friday, and not tonight. */
function shownOf(schedule: DescribedSchedule, lights: NightLight[], { frame, now }: Night): DescribedSchedule {
  const coming = schedule.nights.filter(({ start, end }) => start < frame.to && end > frame.from);
  const bar = lights.flatMap(({ bars }) => bars).find(({ series }) => series === schedule.id);
  // Beyond the nights that a form offers, the bar says when it begins.
  const barred = bar ? [{ date: "", start: bar.from, end: bar.to }] : schedule.nights;
  const nights = coming.length > 0 ? coming : barred;
  const is_running = !schedule.lights_nothing && nights.some(({ start, end }) => start <= now && now < end);
  return { ...schedule, nights, is_running };
}
