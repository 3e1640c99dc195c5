import { Footprints, Goal, MapPin, Trees, Waves, type IconComponent } from "#app/ui/icons";
import type { AreaType } from "#domain/enums";

const ICONS: Record<AreaType, IconComponent> = {
  park: Trees,
  field: Goal,
  river: Waves,
  path: Footprints,
  other: MapPin,
};

export function AreaIcon({ type }: { type: AreaType }) {
  const Icon = ICONS[type];
  return (
    <span className="area-icon">
      <Icon className="size-5" />
    </span>
  );
}
