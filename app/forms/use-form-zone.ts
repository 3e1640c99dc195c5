import { useState } from "react";
import { useOrganization } from "#app/components/organization";

/** The city's zone when the form was opened. What stands in it is by that one, be the city's another by now. */
export function useFormZone() {
  const { zone } = useOrganization();
  const [opened] = useState(zone);
  return opened;
}
