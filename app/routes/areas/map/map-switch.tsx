import { useOrganization } from "#app/components/organization";
import { targetOfValue } from "#app/forms/target-value";
import { useKept } from "#app/router/use-kept";
import { useDialog } from "#app/router/view";
import { switchKindOf } from "#app/routes/switch/switch-kind";
import { holdSentence } from "#domain/light/hold-sentence";
import { whyNotAll } from "#domain/light/switch-all";
import type { MapArea } from "./city-map";
import { useAreaNow } from "./use-area-now";
import { dialogOnDemand } from "#app/ui/dialog-on-demand";

/** Loaded with the first toggle. */
const SwitchDialog = dialogOnDemand(() => import("#app/routes/switch/switch-dialog"));

/** A toggle on all lights of the area that the address names. */
export function MapSwitch({ areas }: { areas: MapArea[] }) {
  const { zone } = useOrganization();
  const { dialog, id: value, close, stay } = useDialog();
  const kind = switchKindOf(dialog);
  const listed = areas.find(({ id }) => id === targetOfValue(value).id);
  const area = useKept(listed, { id: value, isGone: listed === undefined });
  const here = useAreaNow(kind !== null && area ? area.id : null);
  if (kind === null || !area || here === undefined) return null;
  // The address may be typed, or from before.
  if (whyNotAll(area.lights, here?.may_switch !== false) !== null) return null;
  const emergency = here?.emergency ?? null;
  // The map may have been open for days.
  const now = here?.now ?? Date.now();
  return (
    <SwitchDialog
      key={`${kind} ${value}`}
      kind={kind}
      target={{ value, name: area.name, lights: area.lights, isMany: true }}
      area_id={area.id}
      emergency={emergency && holdSentence(emergency, zone, now)}
      now={now}
      onClose={close}
      onDone={stay}
    />
  );
}
