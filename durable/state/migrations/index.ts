import { firstRelease } from "./001-first-release";
import { kindsAndNames } from "./002-kinds-and-names";
import { whyALightIsDark } from "./003-why-a-light-is-dark";
import { sessions } from "./004-sessions";
import { indexesByUse } from "./005-indexes-by-use";
import { dueByIndex } from "./006-due-by-index";
import { holdsAndCuts } from "./007-holds-and-cuts";
import { claimsByDate } from "./008-claims-by-date";
import { lampsThatCool } from "./009-lamps-that-cool";
import { statesTold } from "./010-states-told";
import { alarms } from "./011-alarms";
import { agentLinks } from "./012-agent-links";
import { standingPlans } from "./013-standing-plans";
import { webhookMessages } from "./014-webhook-messages";
import { escalations } from "./015-escalations";
import { webhookLog } from "./016-webhook-log";
import { messagesByWebhook } from "./017-messages-by-webhook";
import { heldMessages } from "./018-held-messages";
import { refusedPlans } from "./019-refused-plans";
import { claimsWithoutOpen } from "./020-claims-without-open";
import { troubleOfOneLamp } from "./021-trouble-of-one-lamp";
import { askedAt } from "./022-asked-at";
import { passedOn } from "./023-passed-on";
import { plannedLamps } from "./024-planned-lamps";

/**
 * How the object's own SQLite came to be, in order: the n-th makes version n out of version n - 1. What has landed is
 * never edited; a change of the tables is one more entry. Each has a test that begins with rows in every table.
 */
export const MIGRATIONS: ((sql: SqlStorage) => void)[] = [
  firstRelease,
  kindsAndNames,
  whyALightIsDark,
  sessions,
  indexesByUse,
  dueByIndex,
  holdsAndCuts,
  claimsByDate,
  lampsThatCool,
  statesTold,
  alarms,
  agentLinks,
  standingPlans,
  webhookMessages,
  escalations,
  webhookLog,
  messagesByWebhook,
  heldMessages,
  refusedPlans,
  claimsWithoutOpen,
  troubleOfOneLamp,
  askedAt,
  passedOn,
  plannedLamps,
];
