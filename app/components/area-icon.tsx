import { Footprints, Goal, MapPin, Trees, Waves, type LucideIcon } from "lucide-react";
import type { AreaType } from "#domain/enums";

const ICONS: Record<AreaType, LucideIcon> = { park: Trees, field: Goal, river: Waves, path: Footprints, other: MapPin };

export function AreaIcon({ type }: { type: AreaType }) {
  const Icon = ICONS[type];
  return (
    <span className="bg-brand-soft text-brand-text flex size-10 shrink-0 items-center justify-center rounded-lg">
      <Icon aria-hidden className="size-5" />
    </span>
  );
}
