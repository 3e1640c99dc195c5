import { useActionData } from "@remix-run/react";
import { useState } from "react";
import type { FormAnswer } from "#app/forms/form-answer";
import { useOrganization } from "#app/components/organization";
import { TIMEZONES } from "#domain/enums";

/**
 * The city's zone when the form was opened. What stands in it is by that one, be the city's another by now. `name` is the
 * field by which a form without script has sent it, whose refusal shows again what was typed.
 */
export function useFormZone(name: string) {
  const { zone } = useOrganization();
  const sent = useActionData<FormAnswer>()?.typed?.[name];
  const [opened] = useState(TIMEZONES.find((known) => known === sent) ?? zone);
  return opened;
}
