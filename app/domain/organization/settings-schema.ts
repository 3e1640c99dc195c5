import { z } from "zod";
import { degrees, oneOf, unprintable, wholeNumber } from "#domain/fields/fields";
import { BOUNDS } from "#domain/fields/limits";
import { isPlainLine } from "#domain/fields/plain-text";
import { PROVIDER_MODES, ROLES, TIMEZONES } from "#domain/enums";
import { LOOPBACK_HOSTS } from "#domain/fields/loopback";

const MAP_REQUIRED = "Settings must be a map of keys and values";
const MAX_KEY = 500;
/** The vendor's two hosts: the account's key must not be sent anywhere else. */
const CLOUD_HOSTS = ["api.yosmart.com", "api-eu.yosmart.com"];
const MASK = "…••••";

/** The input of the system settings. Absent keys stay as they are. */
export function systemSettingsInput(allow: { loopback: boolean }) {
  return z.object(
    {
      YOLINK_UAC_KEY: uacKey().optional(),
      YOLINK_CLOUD_BASE: cloudBase(allow).optional(),
      PROVIDER_MODE: oneOf("Provider mode", PROVIDER_MODES).optional(),
      APP_TIMEZONE: oneOf("Time zone", TIMEZONES).optional(),
      HUB_CHECK_INTERVAL_SEC: wholeNumber("Hub check interval", BOUNDS.HUB_CHECK_INTERVAL_SEC).optional(),
      HUB_OFFLINE_ALERT_MIN: wholeNumber("Offline alert", BOUNDS.HUB_OFFLINE_ALERT_MIN).optional(),
      SESSION_IDLE_MIN: wholeNumber("Session time-out", BOUNDS.SESSION_IDLE_MIN).optional(),
      SECOND_FACTOR_ROLES: z.array(oneOf("Role", ROLES), "Roles must be a list").optional(),
      CITY_LAT: degrees("Latitude", 90)
        .nullable()
        .transform((lat) => lat ?? null)
        .optional(),
      CITY_LON: degrees("Longitude", 180)
        .nullable()
        .transform((lon) => lon ?? null)
        .optional(),
    },
    MAP_REQUIRED,
  );
}

/** The mask of a UAC key: the beginning of its public part. 'uac.ua_4F…••••' */
export function maskKey(key: string): string {
  if (key === "") return "";
  const [uaid = ""] = key.slice("uac.".length).split(":");
  return `uac.${uaid.slice(0, Math.min(5, Math.floor(uaid.length / 3)))}${MASK}`;
}

/** Whether it is a mask; posting one back keeps the stored key. */
export function isMask(key: string): boolean {
  return key.endsWith("••••");
}

function uacKey() {
  const invalid = "The UAC key must be 'uac.' followed by characters";
  return z
    .string(invalid)
    .trim()
    .max(MAX_KEY, `The UAC key may have at most ${MAX_KEY} characters`)
    .refine((key) => key === "" || isMask(key) || /^uac\.\S+$/.test(key), invalid)
    .refine(isPlainLine, invalid);
}

function cloudBase(allow: { loopback: boolean }) {
  const invalid = `The cloud base URL must be https://${CLOUD_HOSTS.join(" or https://")}`;
  return z
    .string(invalid)
    .trim()
    .max(MAX_KEY, invalid)
    .refine(isPlainLine, unprintable("The cloud base URL"))
    .refine((text) => isCloudBase(text, allow), invalid)
    .describe(`The https address of ${CLOUD_HOSTS.join(" or ")}`);
}

/** Whether the key may be sent to this URL; checked again at every use. */
export function isCloudBase(text: string, { loopback }: { loopback: boolean }): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, host, hostname, username, password, search, hash } = new URL(text);
  if (username || password || search || hash) return false;
  if (protocol === "https:" && CLOUD_HOSTS.includes(host)) return true;
  return loopback && /^https?:$/.test(protocol) && LOOPBACK_HOSTS.includes(hostname);
}
