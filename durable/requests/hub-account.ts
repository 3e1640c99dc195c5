import type { HubAccountList, HubAccountType, ListedDevice } from "#domain/hubs/hub-account";
import { MAX_NAME } from "#domain/fields/limits";
import { asPlainLine, asShown, isVisible } from "#domain/fields/plain-text";
import { hubAddress } from "#durable/commands/polls";
import type { HubAddress, Listed, ListResult } from "#durable/providers/provider";
import type { EngineContext } from "#durable/state/context";
import { settingsOf } from "#durable/state/plan";
import { onLane } from "./on-lane";

/** The browser gives up at 10 s. */
const WITHIN_MS = 8_500;

/**
 * The devices of a hub's own list or, without one, of the organization's account in the vendor's cloud. It switches
 * nothing and waits for a connection only: a person is waiting, and one call lists everything. Never rejects.
 */
export async function listHubAccount(
  context: EngineContext,
  hub_id: string | null,
  since = context.now(),
): Promise<HubAccountList> {
  const { PROVIDER_MODE } = settingsOf(context.sql);
  const hub = hub_id === null ? null : (hubAddress(context, hub_id)?.hub ?? null);
  if (hub_id !== null && !hub) return refused("The hub is not known to the scheduler yet");
  if (PROVIDER_MODE === "local" && !hub) return refused("In local mode each hub has a list of its own: choose a hub");
  if (PROVIDER_MODE === "cloud" && hub) return refused("In cloud mode there is one list, the account's: choose no hub");
  const listed = await onLane(context, (): Promise<ListResult> =>
    listFrom(context, hub, Math.max(0, since + WITHIN_MS - context.now())),
  );
  if (listed.ok) return { ok: true, devices: listed.devices.map(told) };
  const { reason, detail } = listed;
  return { ok: false, reason: reason === "refused" ? "refused" : "unavailable", detail };
}

async function listFrom(context: EngineContext, hub: HubAddress | null, timeout_ms: number): Promise<ListResult> {
  try {
    return await context.providers(settingsOf(context.sql).PROVIDER_MODE).list(hub, timeout_ms);
  } catch (error) {
    context.log({ level: "error", event: "provider.threw", reason: String(error) });
    return { ok: false, reason: "timeout", detail: "the call broke off" };
  }
}

function refused(detail: string): HubAccountList {
  return { ok: false, reason: "refused", detail };
}

const LIGHTS = ["Outlet", "Switch", "MultiOutlet", "Dimmer"] as const;
const TYPES: Record<string, HubAccountType> = {
  ...Object.fromEntries(LIGHTS.map((type) => [type, type])),
  Hub: "Hub",
  SpeakerHub: "Hub",
  CellularHub: "Hub",
  Manipulator: "Valve",
  Siren: "Siren",
  Lock: "Lock",
  Thermostat: "Thermostat",
  Sprinkler: "Sprinkler",
};
const MAX_ID = 40;

/**
 * What the far end says is its own text: types that are known, and names without what cannot be shown, such as a device here
 * may have.
 */
function told({ id, name: given, type, model }: Listed): ListedDevice {
  const name = shown(given, MAX_NAME);
  return {
    cloud_device_id: asShown(id, "").trim().slice(0, MAX_ID),
    name: isVisible(name) ? name : "Unnamed device",
    type: Object.hasOwn(TYPES, type) ? (TYPES[type] ?? "other") : "other",
    model: /^[\w-]{1,40}$/.test(model) ? model : null,
    is_light: LIGHTS.some((light) => light === type),
  };
}

function shown(text: string, most: number): string {
  // A character may be half cut off.
  return asPlainLine(asPlainLine(text, "").trim().slice(0, most), "").trim();
}
