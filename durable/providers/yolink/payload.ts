import type { SwitchAction } from "#domain/enums";
import type { Address } from "#durable/providers/provider";
import { isObject, parseObject, type Json } from "#domain/fields/json";
import { ALL_SOCKETS } from "#domain/light/sockets";

/** The types that are lights; a valve or a hub is not switched by us. */
const SWITCHABLE = ["Outlet", "Switch", "MultiOutlet", "Dimmer"];
/** Others that a message may name: a type is the far end's own text, and is not repeated as it comes. */
const OTHER_TYPES = ["Hub", "SpeakerHub", "CellularHub", "Manipulator", "Siren", "Lock", "Thermostat", "Sprinkler"];

export type Payload = { ok: true; method: string; params: Json; mask: number } | { ok: false; detail: string };

/**
 * What is sent for an action. A hub takes everything but exactly `open` for OFF, so what is not
 * understood is never sent: it is refused with a sentence that names the payload.
 */
export function payloadFor(action: SwitchAction, type: string, address: Address, mask: number): Payload {
  if (!isSwitchable(type)) return refused(notALight(type));
  // What looked like sockets of it is the whole lamp, which another light has: it is only asked how it is.
  if (address.is_rest && type !== "MultiOutlet") return { ok: true, method: `${type}.getState`, params: {}, mask: 0 };
  const written = ((action === "on" ? address.on_payload : address.off_payload) ?? "").trim();
  const given = written === "" ? defaults(action, type) : parse(written, type);
  const notUnderstood = `${action} payload not understood`;
  if (!given) return refused(notUnderstood);
  if (given.method !== `${type}.setState`) return refused(`${notUnderstood}: the device is a ${type}`);
  const { state, chs, brightness } = given.params;
  const wanted = action === "on" ? ["open"] : ["close", "closed"];
  if (typeof state !== "string" || !wanted.includes(state)) {
    return refused(`${notUnderstood}: its state must be '${action === "on" ? "open" : "close"}'`);
  }
  if (chs !== undefined && !isWhole(chs, ALL_SOCKETS)) return refused(`${notUnderstood}: chs must be 1 to 255`);
  if (brightness !== undefined && !isWhole(brightness, 100)) {
    return refused(`${notUnderstood}: brightness must be 1 to 100`);
  }
  const sockets = type === "MultiOutlet" ? (chs ?? mask) : undefined;
  const params = { ...given.params, state: action === "on" ? "open" : "close", ...(sockets ? { chs: sockets } : {}) };
  return { ok: true, method: given.method, params, mask: typeof sockets === "number" ? sockets : mask };
}

/** The sockets that count as the light when it is read: those that ON switches. */
export function maskOf(type: string, address: Address, mask: number): number {
  const payload = payloadFor("on", type, address, mask);
  return payload.ok ? payload.mask : mask;
}

/** Why a device of this type of the vendor's cannot be switched, in words. */
export function notALight(type: string): string {
  return `the device is ${OTHER_TYPES.includes(type) ? `a ${type}` : "of another type"}, which is not a light`;
}

/** Whether a device of this type of the vendor's can be a light. */
export function isSwitchable(type: string): boolean {
  return SWITCHABLE.includes(type);
}

function defaults(action: SwitchAction, type: string): { method: string; params: Json } {
  const params: Json = { state: action === "on" ? "open" : "close" };
  if (type === "Dimmer" && action === "on") params.brightness = 100;
  return { method: `${type}.setState`, params };
}

function parse(written: string, type: string): { method: string; params: Json } | null {
  const method = `${type}.setState`;
  if (["open", "close", "closed"].includes(written)) return { method, params: { state: written } };
  const body = parseObject(written);
  if (!body) return null;
  if (body.method === undefined) return { method, params: body };
  return typeof body.method === "string" && isObject(body.params) ? { method: body.method, params: body.params } : null;
}

function isWhole(value: unknown, most: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most;
}

function refused(detail: string): Payload {
  return { ok: false, detail };
}
