import { z } from "zod";
import { degrees, flag, oneOf, optionalLine, requiredText, wholeNumberOrText } from "#domain/fields/fields";
import { MAX_NAME, MAX_STAGGER_SEC, MAX_TITLE } from "#domain/fields/limits";
import type { Location } from "#domain/records/records";
import { AREA_TYPES } from "#domain/enums";

const NAME_REQUIRED = "Area name is required";

const location = z
  .object(
    {
      address: optionalLine("Address", MAX_TITLE),
      lat: degrees("Latitude", 90).optional(),
      lon: degrees("Longitude", 180).optional(),
    },
    "Location must have an address, a latitude and a longitude",
  )
  .transform(toLocation)
  .nullable();

/** The input of an area. Absent fields get their default, or stay as they are in an edit. */
export const areaInput = z.object(
  {
    name: requiredText("Area name", MAX_NAME, NAME_REQUIRED),
    type: oneOf("Area type", AREA_TYPES).optional(),
    location: location.optional(),
    active: flag("Active").optional(),
    stagger_sec: wholeNumberOrText("Seconds between two ONs", { min: 0, max: MAX_STAGGER_SEC }).optional(),
  },
  NAME_REQUIRED,
);

export type AreaInput = z.infer<typeof areaInput>;

/** Keeps latitude and longitude only if both are given. */
function toLocation({ address, lat, lon }: { address?: string | null; lat?: number; lon?: number }): Location | null {
  const place: Location = {
    ...(address ? { address } : {}),
    ...(lat !== undefined && lon !== undefined ? { lat, lon } : {}),
  };
  return Object.keys(place).length > 0 ? place : null;
}
