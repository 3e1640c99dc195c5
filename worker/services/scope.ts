import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "#db/database";
import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/hubs/connectivity";
import type { Explanation } from "#domain/resolve/explanation";
import type { Forecast, ForecastRequest } from "#domain/forecast/forecast-request";
import type { Preview, PreviewRequest } from "#domain/forecast/preview-request";
import type { HubAccountList } from "#domain/hubs/hub-account";
import type { LiveList } from "#domain/lists/live";
import type { MessageTest } from "#domain/messages/message-choice";
import type { EmailTest } from "#domain/messages/message-settings";
import { can, type Capability } from "#domain/organization/permissions";
import { causeOf, Refusal } from "#domain/errors";
import type { WebhookMessage } from "#domain/messages/webhook-records";
import type { ToggleResult, ToggleRow, User } from "#domain/records/records";
import type { ToggleWish } from "#domain/resolve/toggle-schema";
import type { SwitchAction } from "#domain/enums";
import { log } from "#worker/log";

/** What a person asks of lights. */
type Toggle = ToggleWish & { org_id: string; actor: { id: string; email: string } };

/** The engine's interface: one object per organization. Failures are values or a rejected promise. */
export type Scheduler = {
  /** Hints that the plan changed. Never fails; the next tick or sweep makes up for a lost hint. */
  sync: (org_id: string) => Promise<void>;
  /** Tells browsers that lists outside of the plan have changed. Never fails, and nobody waits for it. */
  noteLists: (org_id: string, lists: LiveList[]) => void;
  /** Closes the sockets of people who may no longer listen. Never fails, and nobody waits for it. */
  checkSessions: (org_id: string) => void;
  /** Closes an agent's sockets whose secret was replaced or revoked. Never fails, and nobody waits for it. */
  dropAgent: (org_id: string, agent_id: string) => void;
  toggle: (request: Toggle & { device_id: string }) => Promise<ToggleResult>;
  /** The same of many devices, in one go: a row for each. */
  toggleMany: (request: Toggle & { device_ids: string[] }) => Promise<ToggleRow[]>;
  explain: (of: { org_id: string; device_ids: string[] }) => Promise<Explanation[]>;
  /** What the devices are going to do between two instants (epoch ms); `next` is the first that it did not get to. */
  forecast: (of: { org_id: string } & ForecastRequest) => Promise<Forecast>;
  /** What a schedule's next windows would come to if it were saved. */
  preview: (of: { org_id: string } & PreviewRequest) => Promise<Preview>;
  /** The devices of the vendor's account or, with `hub_id`, of a hub. A failure is a value, in fixed words. */
  listHubAccount: (of: { org_id: string; hub_id: string | null }) => Promise<HubAccountList>;
  pingHub: (test: { org_id: string; hub_id: string }) => Promise<PingAnswer>;
  readState: (test: { org_id: string; device_id: string }) => Promise<StatusAnswer>;
  testSwitch: (test: { org_id: string; device_id: string; action: SwitchAction }) => Promise<TestAnswer>;
  /** Sends a test e-mail by the settings as they are saved. A failure is a value. */
  testEmail: (test: { org_id: string; to: string }) => Promise<EmailTest>;
  /** Sends a person a test message by their choice as it is saved. A failure is a value. */
  testMessage: (test: { org_id: string; user_id: string }) => Promise<MessageTest>;
  /** Sends a message to a webhook at once. */
  sendWebhook: (of: { org_id: string; message: WebhookMessage }) => Promise<void>;
  /** A device's test ended or was stopped; reconciles the device at once. */
  endTest: (test: { org_id: string; device_id: string }) => Promise<void>;
};

/** What every service depends on: the user, the organization, the database and the engine. */
export type Scope = {
  user: User;
  org_id: string;
  db: Database;
  scheduler: Scheduler;
  now: () => Date;
  newId: () => string;
  /** DEMO=on, which allows loopback addresses, so that the simulator can be reached. */
  demo: boolean;
  /** Whether the server stands on the hubs' own network: the demo, or DIRECT_HUBS=on. */
  direct: boolean;
  /** The request's Idempotency-Key, or null. */
  idempotency_key: string | null;
  /** The secret that encrypts the providers' keys at rest: 32 bytes, base64. */
  settings_key: string;
  /** Where logs stand that are older than 90 days; null where no bucket is bound, and all is in the database. */
  archive: R2Bucket | null;
  /** After how many days logs are deleted. */
  log_days: number;
  /** Lets work go on behind the answer, and when the client has gone. It must not reject. */
  later: (work: Promise<void>) => void;
};

/** Refuses with `forbidden` what the role may not do at all, before any record is read. */
export function permit(user: User, capability: Capability): void {
  if (!can(user, capability)) throw new Refusal("forbidden", "Permission denied");
}

/** The refusal (503) where the engine cannot be reached. */
export function engineAway(): Refusal {
  return new Refusal("unavailable", "The switching engine did not answer. Please try again.");
}

/** The same of a call that failed, which is logged. */
export function unanswered(caught: unknown): never {
  log("error", "scheduler.no_answer", causeOf(caught));
  throw engineAway();
}

/** A statement for a batch, so that a change and its audit entry succeed or fail together. */
export type Statement = BatchItem<"sqlite">;
