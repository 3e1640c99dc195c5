import {
  Check,
  CircleHelp,
  CircleX,
  Lightbulb,
  LightbulbOff,
  RotateCw,
  TriangleAlert,
  Wifi,
  WifiOff,
} from "#app/ui/icons";
import type { ReactElement } from "react";
import type {
  CommandSource,
  ConnectionMode,
  DeviceState,
  HubStatus,
  ScheduleStatus,
  SchedulerResult,
} from "#domain/enums";
import { eventTone, type EventTone } from "#domain/records/event-tone";
import type { SchedulerEvent } from "#domain/records/records";
import { Badge, type Tone } from "#app/ui/badge";

type Style = { tone: Tone; label: string; icon?: ReactElement };

/** A lit lamp differs by fill, icon, word and weight, so that it is recognizable without color. */
const STATES: Record<DeviceState, Style> = {
  on: { tone: "lit", label: "ON", icon: <Lightbulb /> },
  off: { tone: "outline", label: "OFF", icon: <LightbulbOff /> },
  unknown: { tone: "dashed", label: "UNKNOWN", icon: <CircleHelp /> },
};
const HUB_STATUSES: Record<HubStatus, Style> = {
  online: { tone: "ok", label: "Online", icon: <Wifi /> },
  offline: { tone: "bad", label: "Offline", icon: <WifiOff /> },
  unknown: { tone: "dashed", label: "Unknown", icon: <CircleHelp /> },
  "needs attention": { tone: "warn", label: "needs attention", icon: <TriangleAlert /> },
};
const SCHEDULE_STATUSES: Record<ScheduleStatus, Style> = {
  scheduled: { tone: "brand", label: "Scheduled" },
  canceled: { tone: "bad", label: "Canceled" },
  done: { tone: "neutral", label: "Completed" },
};
const SOURCES: Record<CommandSource, Style> = {
  scheduler: { tone: "brand", label: "scheduler" },
  watchdog: { tone: "warn", label: "watchdog" },
  manual: { tone: "neutral", label: "manual" },
};
const RESULTS: Record<SchedulerResult, Omit<Style, "tone">> = {
  ok: { label: "ok", icon: <Check /> },
  retry: { label: "retry", icon: <RotateCw /> },
  fail: { label: "fail", icon: <CircleX /> },
};
const TONES: Record<EventTone, Tone> = { good: "ok", calm: "neutral", warning: "warn", alarm: "bad" };
const MODES: Record<ConnectionMode, Style> = {
  local: { tone: "neutral", label: "local" },
  cloud: { tone: "neutral", label: "cloud" },
  hybrid: { tone: "neutral", label: "hybrid" },
};

export const StateBadge = ({ state }: { state: DeviceState }) => badge(STATES[state]);
/** Shows an unknown status as it is. */
export const HubStatusBadge = ({ status }: { status: string }) =>
  badge(Object.entries(HUB_STATUSES).find(([known]) => known === status)?.[1] ?? { tone: "neutral", label: status });
export const ScheduleStatusBadge = ({ status }: { status: ScheduleStatus }) => badge(SCHEDULE_STATUSES[status]);
export const SourceBadge = ({ source }: { source: CommandSource }) => badge(SOURCES[source]);
/** The result in words; its color shows whether anybody has to act. */
export const ResultBadge = ({ event }: { event: Pick<SchedulerEvent, "result" | "cause"> }) =>
  badge({ ...RESULTS[event.result], tone: TONES[eventTone(event)] });
export const ConnectionModeBadge = ({ mode }: { mode: ConnectionMode }) => badge(MODES[mode]);

function badge({ tone, label, icon }: Style) {
  return (
    <Badge tone={tone} icon={icon}>
      {label}
    </Badge>
  );
}
