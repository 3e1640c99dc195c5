import { open, seal } from "#db/sealed";
import { hubs } from "#db/hubs";
import { settings } from "#db/settings";
import { guardrailSettingsInput } from "#domain/guardrails/guardrail-settings-schema";
import { reachWarningOf, type Reach } from "#domain/hubs/hub-reach";
import type { CityPlace } from "#domain/schedule/positions";
import type { GuardrailSettings, SystemSettings } from "#domain/records/records";
import type { Guardrails } from "#domain/schedule/schedule";
import { GUARDRAIL_DEFAULTS, SYSTEM_DEFAULTS } from "#domain/records/setting-defaults";
import { isMask, maskKey, systemSettingsInput } from "#domain/organization/settings-schema";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { moveCity } from "#worker/services/moves";
import { parse } from "#worker/services/parse";
import { readAnew } from "#worker/services/read-anew";
import { invalid } from "#worker/services/refuse";
import { permit, type Scope, type Statement } from "#worker/services/scope";

/** The system and guardrail settings. Unsaved ones have their defaults. */
export function settingsService(scope: Scope) {
  const { user } = scope;

  const stored = <Known extends SystemSettings | GuardrailSettings>(defaults: Known) => storedIn(scope, defaults);

  return {
    /** For everyone: the provider mode for its badge, and the zone for all times on screen. */
    find: async (): Promise<Pick<SystemSettings, "PROVIDER_MODE" | "APP_TIMEZONE">> => {
      const { PROVIDER_MODE, APP_TIMEZONE } = await stored(SYSTEM_DEFAULTS);
      return { PROVIDER_MODE, APP_TIMEZONE };
    },

    /** For everyone: the rules that explain why a light may not go on now. */
    guardrails: async (): Promise<Guardrails> => {
      return guardrailsIn(await stored({ ...SYSTEM_DEFAULTS, ...GUARDRAIL_DEFAULTS }));
    },

    /** What a night is told by, in one read: the guardrails, and where the city is and has been. */
    night: async (): Promise<{ guardrails: Guardrails; city: CityPlace }> => {
      const all = await stored({ ...SYSTEM_DEFAULTS, ...GUARDRAIL_DEFAULTS, CITY_POSITIONS: [] });
      return { guardrails: guardrailsIn(all), city: all };
    },

    /** All system settings, the UAC key as a mask. Refuses with `forbidden`. */
    findSystem: async (): Promise<SystemSettings> => {
      permit(user, "settings.edit");
      return masked(scope, await stored(SYSTEM_DEFAULTS));
    },

    /**
     * Saves the given settings and keeps the rest. The UAC key's mask keeps the key, '' removes it. Answers with a sentence
     * where the mode does not reach every hub, else with null. Refuses with `forbidden` and `invalid`.
     */
    saveSystem: async (input: unknown): Promise<string | null> => {
      permit(user, "settings.edit");
      const { YOLINK_UAC_KEY: key, ...values } = parse(systemSettingsInput({ loopback: scope.demo }), input);
      const saved = await saveIn(scope, "system", SYSTEM_DEFAULTS, async (before) => {
        const keeps = key === undefined || isMask(key);
        const sealed = keeps ? before.YOLINK_UAC_KEY : await sealedKey(scope, key, before.YOLINK_UAC_KEY);
        const after = { ...before, ...values, YOLINK_UAC_KEY: sealed };
        if (after.PROVIDER_MODE === "cloud" && !sealed) {
          throw invalid("YOLINK_UAC_KEY", "Cloud mode needs the UAC key");
        }
        if ((after.CITY_LAT === null) !== (after.CITY_LON === null)) {
          const missing = after.CITY_LAT === null ? "CITY_LAT" : "CITY_LON";
          throw invalid(missing, "A position needs a latitude and a longitude");
        }
        return { after, more: await moveCity(scope, after) };
      });
      return reachWarningIn(scope, { mode: saved.PROVIDER_MODE, direct: scope.direct });
    },

    /** All guardrail settings of the organization. Refuses with `forbidden`. */
    findGuardrails: async (): Promise<GuardrailSettings> => {
      permit(user, "guardrails.edit");
      return stored(GUARDRAIL_DEFAULTS);
    },

    /** Saves the given settings and keeps the rest; they apply at once. Refuses with `forbidden` and `invalid`. */
    saveGuardrails: async (input: unknown): Promise<void> => {
      permit(user, "guardrails.edit");
      const values = parse(guardrailSettingsInput, input);
      await saveIn(scope, "guardrails", GUARDRAIL_DEFAULTS, async (before) => ({ after: { ...before, ...values } }));
    },
  };
}

/** What a request has read; a page asks for the zone, the rules and the zone again, each in a service of its own. */
const read = new WeakMap<Scope, ReturnType<typeof readAll>>();

const readAll = async ({ db, org_id }: Scope) => settings(db, org_id).list();

/** One read a request, until it saves; a read that failed is tried again. */
function rowsIn(scope: Scope) {
  const known = read.get(scope);
  if (known) return known;
  const rows = readAll(scope);
  read.set(scope, rows);
  rows.catch(() => read.delete(scope));
  return rows;
}

/** The stored settings that `defaults` names, over those defaults. */
export async function storedIn<Known extends object>(scope: Scope, defaults: Known): Promise<Known> {
  const rows = await rowsIn(scope);
  const known = rows.filter(({ key }) => Object.hasOwn(defaults, key)).map(({ key, value }) => [key, value]);
  return { ...defaults, ...Object.fromEntries(known) };
}

type SettingsId = "system" | "guardrails" | "messages";
/** What is to be saved, of the settings as they were read; refuses what does not go together. */
type Change<Known> = (before: Known) => Promise<{ after: Known; more?: Statement[] }>;

/**
 * Saves the settings that `defaults` names, and answers them. What others saved since they were read is read again, and the
 * change made of that: settings are judged together, and the audit log tells all of them.
 */
export function saveIn<Known extends object>(
  scope: Scope,
  id: SettingsId,
  defaults: Known,
  change: Change<Known>,
): Promise<Known> {
  return readAnew("setting", undefined, () => trySave(scope, id, defaults, change));
}

/** Writes the rows of the changed keys and their audit entry; an unchanged setting does not wake the engine. */
async function trySave<Known extends object>(
  scope: Scope,
  id: SettingsId,
  defaults: Known,
  change: Change<Known>,
): Promise<Known> {
  const repository = settings(scope.db, scope.org_id);
  const rows = await rowsIn(scope);
  const before = await storedIn(scope, defaults);
  const { after, more = [] } = await change(before);
  const was = new Map(Object.entries(before).map(([key, value]) => [key, JSON.stringify(value)]));
  const changed = Object.entries(after).filter(
    ([key, value]) => ![undefined, was.get(key)].includes(JSON.stringify(value)),
  );
  const writes = changed.map(([key, value]) => (value === null ? repository.remove(key) : repository.save(key, value)));
  if (writes.length === 0) return after;
  const entry = audited(scope, "update", "settings", id, { before, after });
  const statements = [repository.unchanged(rows), ...writes, ...more, entry];
  await commit(scope, "setting", statements).finally(() => read.delete(scope));
  return after;
}

/** A key as it is stored. The same one stays as it was `before`: sealed anew, it would be logged as another one. */
export async function sealedKey({ settings_key }: Scope, key: string, before: string): Promise<string> {
  if (key === "") return "";
  const known = before && (await open(before, settings_key).catch(() => ""));
  return known === key ? before : seal(key, settings_key);
}

/** How the organization reaches its hubs. */
export async function reachOf(scope: Scope): Promise<Reach> {
  const { PROVIDER_MODE: mode } = await settingsService(scope).find();
  return { mode, direct: scope.direct };
}

/** What to know of the hubs that are out of reach as they are saved, in a sentence; null where there is none. */
export async function reachWarningIn({ db, org_id }: Scope, reach: Reach): Promise<string | null> {
  if (reach.direct || reach.mode === "mock" || reach.mode === "cloud") return null;
  return reachWarningOf(await hubs(db, org_id).withoutAgent(), reach);
}

/** A key sealed with a lost SETTINGS_KEY still shows as set. */
async function masked({ settings_key }: Scope, known: SystemSettings): Promise<SystemSettings> {
  const sealed = known.YOLINK_UAC_KEY;
  if (sealed === "") return known;
  const key = await open(sealed, settings_key).catch(() => "uac.");
  return { ...known, YOLINK_UAC_KEY: maskKey(key) };
}

function guardrailsIn(all: GuardrailSettings & SystemSettings): Guardrails {
  const { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, APP_TIMEZONE } = all;
  return { HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN, zone: APP_TIMEZONE };
}
