import { z } from "zod";
import { oneOf, optionalId, optionalLine, optionalText, requiredId, requiredText } from "#domain/fields/fields";
import { MAX_NAME, MAX_NOTES } from "#domain/fields/limits";
import { parseHubAddress } from "#domain/fields/ip-address";
import { CONNECTION_MODES } from "#domain/enums";

const REQUIRED = "Hub name and area are required";
const DEFAULT_HUB_PORT = 1080;
const MAX_CREDENTIAL = 500;

/**
 * The input of a hub. The two credentials are write-only: an absent one stays, an empty one is removed. Other absent
 * fields get their default, or stay as they are in an edit.
 */
export function hubInput(allow: { loopback: boolean }) {
  return z.object(
    {
      name: requiredText("Hub name", MAX_NAME, REQUIRED),
      area_id: requiredId(REQUIRED),
      ip_address: address(allow).optional(),
      port: port.meta({ description: "1 to 65535; what is no number becomes 1080" }).optional(),
      connection_mode: oneOf("Connection mode", CONNECTION_MODES).optional(),
      agent_id: optionalId("Agent"),
      notes: optionalText("Notes", MAX_NOTES),
      local_client_id: optionalLine("Local client id", MAX_CREDENTIAL),
      local_client_secret: optionalLine("Local client secret", MAX_CREDENTIAL),
    },
    REQUIRED,
  );
}

export type HubInput = z.infer<ReturnType<typeof hubInput>>;

const port = z.unknown().transform((value, context) => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || Number.isNaN(number)) return DEFAULT_HUB_PORT;
  if (Number.isInteger(number) && number >= 1 && number <= 65_535) return number;
  context.addIssue("The port must be a whole number from 1 to 65535");
  return z.NEVER;
});

function address(allow: { loopback: boolean }) {
  const invalid = "Please enter a valid IP address";
  return z
    .string(invalid)
    .trim()
    .transform((text, context) => {
      if (text === "") return null;
      const parsed = parseHubAddress(text, allow);
      if (parsed === null) context.addIssue(invalid);
      return parsed;
    })
    .nullable();
}
