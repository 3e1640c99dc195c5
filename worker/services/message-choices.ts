import { messageChoices } from "#db/message-choices";
import { counted } from "#domain/counted";
import { Refusal } from "#domain/errors";
import {
  messageChoiceInput,
  NO_CHOICE,
  type ColleagueChoice,
  type MessageChoice,
  type MessageTest,
} from "#domain/messages/message-choice";
import { ALARM_KINDS } from "#domain/enums";
import { isPhone } from "#domain/fields/phone";
import { isUrgent } from "#domain/messages/escalation";
import { listed, MESSAGE_DEFAULTS } from "#domain/messages/message-settings";
import { roleOf } from "#domain/organization/permissions";
import { GUARDRAIL_DEFAULTS, PLACEHOLDER_RECIPIENT } from "#domain/records/setting-defaults";
import { audited } from "#worker/services/audit";
import { commit } from "#worker/services/commit";
import { once } from "#worker/services/once";
import { parse } from "#worker/services/parse";
import { readAnew } from "#worker/services/read-anew";
import { invalid } from "#worker/services/refuse";
import { permit, unanswered, type Scope } from "#worker/services/scope";
import { storedIn } from "#worker/services/settings";

/** Each test may cost an SMS. */
const BETWEEN_TESTS_MS = 60_000;

/** How a person wants to hear of alarms, and who in the organization does. */
export function messageChoiceService(scope: Scope) {
  const { user, org_id, db } = scope;
  const repository = messageChoices(db, org_id);
  const find = async (): Promise<MessageChoice> => (await repository.find(user.id)) ?? NO_CHOICE;

  return {
    /** One's own; who has saved none hears nothing. Refuses with `forbidden`. */
    find: async (): Promise<MessageChoice> => {
      permit(user, "messages.choose");
      return find();
    },

    /** Whether messages to people are switched on, and e-mail, for everyone to know. Refuses with `forbidden`. */
    ways: async (): Promise<{ messages: boolean; email: boolean }> => {
      permit(user, "messages.choose");
      const { NOTIFY_ON_FAIL, EMAIL_PROVIDER } = await storedIn(scope, { ...GUARDRAIL_DEFAULTS, ...MESSAGE_DEFAULTS });
      return { messages: NOTIFY_ON_FAIL, email: EMAIL_PROVIDER !== "off" };
    },

    /** Why nobody hears of urgent alarms, in a sentence, or null where somebody does. Refuses with `forbidden`. */
    warning: async (): Promise<string | null> => {
      permit(user, "messages.see");
      const stored = await storedIn(scope, { ...GUARDRAIL_DEFAULTS, ...MESSAGE_DEFAULTS });
      const rows = await repository.everyone();
      const isEmailOn = stored.EMAIL_PROVIDER !== "off";
      const { NOTIFY_ON_FAIL, NOTIFY_SMS_TO, NOTIFY_EMAIL_TO, ESCALATE_TO, ESCALATE_AFTER_MIN: after_min } = stored;
      if (!NOTIFY_ON_FAIL) return "Nobody hears of alarms: messages are switched off in the guardrail settings.";
      const isReached = (to: string) => (isPhone(to) ? to !== PLACEHOLDER_RECIPIENT : isEmailOn);
      if ([...listed(NOTIFY_SMS_TO), ...listed(NOTIFY_EMAIL_TO)].some(isReached)) return null;
      if (rows.some(({ choice }) => choice !== null && hearsUrgent(choice, isEmailOn))) return null;
      const isPassedOn = after_min > 0 && listed(ESCALATE_TO).some(isReached);
      const hears = isPassedOn
        ? `Nobody hears of urgent alarms before the escalation after ${counted(after_min, "minute")}`
        : "Nobody hears of urgent alarms";
      return `${hears}: no address is set, and nobody has chosen a way.`;
    },

    /** Saves one's own; absent keys stay as they are. It applies at once. Refuses with `forbidden`, `invalid` and `conflict`. */
    save: async (input: unknown, if_match?: number): Promise<MessageChoice> => {
      permit(user, "messages.choose");
      return once(scope, { call: "save of own messages", input, again: find }, (remember) =>
        readAnew("choice", if_match, async () => {
          const known = await repository.find(user.id);
          const before = told(known ?? NO_CHOICE);
          const after = { ...before, ...parse(messageChoiceInput, input) };
          refuseHalf(after);
          if (!known && if_match) throw new Refusal("conflict", CHANGED);
          const [write, action] = known
            ? [repository.save(user.id, after, if_match ?? known.version), "update"]
            : [repository.create(user.id, after), "create"];
          const change = known ? { before, after } : { after };
          await commit(scope, "choice", [
            write,
            audited(scope, action, "message_choice", user.id, change),
            ...remember(user.id),
          ]);
          return find();
        }),
      );
    },

    /**
     * Sends oneself a message by each channel of the saved choice. A failure is a value. Refuses with `forbidden`,
     * `too_many` and `unavailable`.
     */
    test: async (): Promise<MessageTest> => {
      permit(user, "messages.choose");
      const { urgent_by, other_by } = await find();
      if (urgent_by.length + other_by.length === 0)
        return { success: false, detail: "Choose a channel and save it first" };
      const at = scope.now();
      const since = new Date(at.getTime() - BETWEEN_TESTS_MS);
      const noted = await repository.noteTest(user.id, at.toISOString(), since.toISOString());
      if (noted.length === 0) throw new Refusal("too_many", "You asked for a test a moment ago. Wait a minute.");
      const result = await scope.scheduler.testMessage({ org_id, user_id: user.id }).catch(unanswered);
      await db.batch([audited(scope, "test", "message_choice", user.id, { after: result })]);
      return result;
    },

    /** Who hears of what: every active member, by e-mail address. Refuses with `forbidden`. */
    everyone: async (): Promise<ColleagueChoice[]> => {
      permit(user, "messages.see");
      const rows = await repository.everyone();
      return rows.map(({ user_id, account, role, choice }) => {
        const chosen = choice ?? NO_CHOICE;
        return { ...chosen, user_id, account, role: roleOf(role), email: chosen.email ?? account };
      });
    },
  };
}

const CHANGED = "This choice was changed by someone else meanwhile. Reload and try again.";

/** What an audit entry tells of it. */
function told(choice: MessageChoice) {
  const { phone, email, urgent_by, other_by, left_out, quiet_from, quiet_to, digest } = choice;
  return { phone, email, urgent_by, other_by, left_out, quiet_from, quiet_to, digest };
}

/** A channel needs an address, and quiet hours both ends. */
function refuseHalf({ urgent_by, other_by, phone, quiet_from, quiet_to }: ReturnType<typeof told>): void {
  const hasSms = [...urgent_by, ...other_by].includes("sms");
  if (hasSms && phone === null) throw invalid("phone", "SMS needs your phone number");
  if (quiet_from !== null && quiet_to === null) throw invalid("quiet_to", "Quiet hours need an end");
  if (quiet_to !== null && quiet_from === null) throw invalid("quiet_from", "Quiet hours need a beginning");
}

/** Whether a choice lets any urgent alarm through. */
function hearsUrgent({ urgent_by, left_out }: MessageChoice, isEmailOn: boolean): boolean {
  const hasWay = urgent_by.some((channel) => channel === "sms" || isEmailOn);
  return hasWay && ALARM_KINDS.some((kind) => isUrgent(kind) && !left_out.includes(kind));
}
