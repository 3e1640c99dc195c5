import {
  ChevronDown,
  ChevronsUp,
  ChevronUp,
  CircleCheck,
  CircleDot,
  CircleSlash,
  Equal,
  Wrench,
  type IconComponent,
} from "#app/ui/icons";
import type { ReactElement } from "react";
import type { WorkorderPriority, WorkorderStatus } from "#domain/enums";
import { Badge, type Tone } from "#app/ui/badge";
import { classes } from "#app/ui/classes";

const STATUSES: Record<WorkorderStatus, { tone: Tone; icon: IconComponent; className: string }> = {
  open: { tone: "brand", icon: CircleDot, className: "bg-brand-soft text-brand-text" },
  in_progress: { tone: "warn", icon: Wrench, className: "bg-warn-soft text-warn-text" },
  completed: { tone: "ok", icon: CircleCheck, className: "bg-ok-soft text-ok-text" },
  canceled: { tone: "neutral", icon: CircleSlash, className: "bg-sunken text-ink-faint" },
};

/** Each also has an icon, for people who cannot distinguish the colors. */
const PRIORITIES: Record<WorkorderPriority, { tone: Tone; icon: ReactElement }> = {
  urgent: { tone: "bad", icon: <ChevronsUp /> },
  high: { tone: "warn", icon: <ChevronUp /> },
  medium: { tone: "emerald", icon: <Equal /> },
  low: { tone: "ok", icon: <ChevronDown /> },
};

/** Shows an underscore as a space. */
export function statusLabel(status: WorkorderStatus): string {
  return status.replaceAll("_", " ");
}

export function StatusIcon({ status }: { status: WorkorderStatus }) {
  const { icon: Icon, className } = STATUSES[status];
  return (
    <span className={classes("flex size-10 shrink-0 items-center justify-center rounded-lg", className)}>
      <Icon className="size-5" />
    </span>
  );
}

export const StatusBadge = ({ status }: { status: WorkorderStatus }) => (
  <Badge tone={STATUSES[status].tone}>{statusLabel(status)}</Badge>
);

export const PriorityBadge = ({ priority }: { priority: WorkorderPriority }) => (
  <Badge {...PRIORITIES[priority]}>{priority}</Badge>
);
