import { settings } from "#db/settings";
import {
  emailTestInput,
  KEY_MASK,
  MESSAGE_DEFAULTS,
  messageSettingsInput,
  type EmailTest,
  type MessageSettings,
} from "#domain/messages/message-settings";
import { isMask } from "#domain/organization/settings-schema";
import { audited } from "#worker/services/audit";
import { parse } from "#worker/services/parse";
import { invalid } from "#worker/services/refuse";
import { permit, unanswered, type Scope } from "#worker/services/scope";
import { saveIn, sealedKey, storedIn } from "#worker/services/settings";

/** How messages reach people beside SMS. */
export function messageSettingsService(scope: Scope) {
  const { user, org_id, db } = scope;

  return {
    /** All message settings, the API key as a mask. Refuses with `forbidden`. */
    find: async (): Promise<MessageSettings> => {
      permit(user, "settings.edit");
      const stored = await storedIn(scope, MESSAGE_DEFAULTS);
      return { ...stored, EMAIL_API_KEY: stored.EMAIL_API_KEY && KEY_MASK };
    },

    /** Saves the given settings and keeps the rest; they apply at once. Refuses with `forbidden` and `invalid`. */
    save: async (input: unknown): Promise<void> => {
      permit(user, "settings.edit");
      const { EMAIL_API_KEY: key, ...values } = parse(messageSettingsInput({ loopback: scope.demo }), input);
      await saveIn(scope, "messages", MESSAGE_DEFAULTS, async (before) => {
        const keeps = key === undefined || isMask(key);
        const sealed = keeps ? before.EMAIL_API_KEY : await sealedKey(scope, key, before.EMAIL_API_KEY);
        const after = { ...before, ...values, EMAIL_API_KEY: sealed };
        const known = await storedIn(scope, { [KEY_SERVICE]: before.EMAIL_PROVIDER });
        const service = keeps ? known[KEY_SERVICE] : "off";
        refuseHalf(after, service);
        const next = service === "off" ? after.EMAIL_PROVIDER : service;
        return { after, more: [settings(db, org_id).save(KEY_SERVICE, next)] };
      });
    },

    /** Sends a test e-mail by the saved settings. Refuses with `forbidden`, `invalid` and `unavailable`. */
    testEmail: async (input: unknown): Promise<EmailTest> => {
      permit(user, "settings.edit");
      const { to } = parse(emailTestInput, input);
      const result = await scope.scheduler.testEmail({ org_id, to }).catch(unanswered);
      await db.batch([audited(scope, "test", "settings", "messages", { after: { to, ...result } })]);
      return result;
    },
  };
}

/** The setting that says for which service the stored key was saved, since e-mail may have been switched off meanwhile. */
const KEY_SERVICE = "EMAIL_KEY_SERVICE";

/**
 * Escalation needs people; a service that is switched on needs its key and a sender; a key goes to no other `service` than
 * it was saved for, 'off' where that is any.
 */
function refuseHalf(after: MessageSettings, service: MessageSettings["EMAIL_PROVIDER"]): void {
  const isPassedOn = after.ESCALATE_AFTER_MIN > 0;
  if (isPassedOn && after.ESCALATE_TO === "") throw invalid("ESCALATE_TO", "Escalation needs at least one person");
  if (after.EMAIL_PROVIDER === "off") return;
  const isMoved = service !== "off" && service !== after.EMAIL_PROVIDER;
  if (after.EMAIL_API_KEY === "") throw invalid("EMAIL_API_KEY", "E-mail needs the service's API key");
  if (isMoved) throw invalid("EMAIL_API_KEY", "Another service needs a key of its own");
  if (after.EMAIL_FROM === "") throw invalid("EMAIL_FROM", "E-mail needs a sender");
}
