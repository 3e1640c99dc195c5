import { z } from "zod";
import { deviceInput } from "#domain/light/device-schema";
import { requiredText } from "#domain/fields/fields";
import { MAX_NAME, MOST_ADDED } from "#domain/fields/limits";

/** The vendor's words for what a device is; all others are told as `other`. */
const HUB_ACCOUNT_TYPES = [
  "Outlet",
  "Switch",
  "MultiOutlet",
  "Dimmer",
  "Hub",
  "Valve",
  "Siren",
  "Lock",
  "Thermostat",
  "Sprinkler",
  "other",
] as const;
export type HubAccountType = (typeof HUB_ACCOUNT_TYPES)[number];

/** A device as the hub account lists it. */
export type ListedDevice = {
  cloud_device_id: string;
  name: string;
  type: HubAccountType;
  model: string | null;
  /** Whether it switches a light. */
  is_light: boolean;
};

/** What the hub account was asked for, or in fixed words why it did not say. */
export type HubAccountList =
  | { ok: true; devices: ListedDevice[] }
  | { ok: false; reason: "unavailable" | "refused"; detail: string };

export const hubAccountDevice = z
  .object({
    cloud_device_id: z.string(),
    name: z.string(),
    type: z.enum(HUB_ACCOUNT_TYPES),
    model: z.string().nullable(),
    refusal: z.string().nullable().describe("Why it cannot be added; null if it can"),
  })
  .meta({ id: "HubAccountDevice" });
export type HubAccountDevice = z.infer<typeof hubAccountDevice>;

/** Whose list: a hub's own, or without one the account in the vendor's cloud. */
export const hubAccountQuery = z.object({
  hub_id: z.string().max(MAX_NAME).optional().describe("A hub's own list; without it, the cloud account's"),
});

const { area_id, hub_id, dept_id, name, model } = deviceInput.shape;
const CHOOSE = "Choose at least one device";
const EACH = "Each device must be an object with a Cloud ID and a name";

/** The chosen devices, and where they go. */
export const hubAccountInput = z.object({
  area_id,
  hub_id,
  dept_id,
  devices: z
    .array(
      z.object({ cloud_device_id: requiredText("Cloud ID", MAX_NAME, "Cloud ID is required"), name, model }, EACH),
      CHOOSE,
    )
    .min(1, CHOOSE)
    .max(MOST_ADDED, `Choose at most ${MOST_ADDED} devices at a time`),
});
