import { useState } from "react";
import { useOrganization } from "#app/components/organization";
import { useInitialValue } from "#app/forms/use-initial-value";
import { zoneNamed } from "#domain/time/zone-named";

/**
 * The city's zone when the form was opened. What stands in it is by that one, be the city's another by now. `name` is the
 * field by which a form without script has sent it, whose refusal shows again what was typed.
 */
export function useFormZone(name: string) {
  const { zone } = useOrganization();
  const sent = useInitialValue()(name, null);
  const [opened] = useState(zoneNamed(sent) ?? zone);
  return opened;
}
