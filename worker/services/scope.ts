import type { BatchItem } from "drizzle-orm/batch";
import type { Database } from "#db/database";
import type { PingAnswer, StatusAnswer, TestAnswer } from "#domain/connectivity";
import type { Explanation } from "#domain/explanation";
import { can, type Capability } from "#domain/permissions";
import { Refusal } from "#domain/errors";
import type { ToggleResult, User } from "#domain/records";
import type { SwitchAction } from "#domain/enums";

/** The only door to the engine room: one object per organization. Failures are values or a rejected promise. */
export type Scheduler = {
  /** A hint that the plan changed. Never fails: a lost hint is made good by the next tick or sweep. */
  sync: (org_id: string) => Promise<void>;
  toggle: (request: {
    org_id: string;
    device_id: string;
    action: SwitchAction;
    actor: { id: string; email: string };
  }) => Promise<ToggleResult>;
  explain: (of: { org_id: string; device_ids: string[] }) => Promise<Explanation[]>;
  pingHub: (test: { org_id: string; hub_id: string }) => Promise<PingAnswer>;
  readState: (test: { org_id: string; device_id: string }) => Promise<StatusAnswer>;
  testSwitch: (test: { org_id: string; device_id: string; action: SwitchAction }) => Promise<TestAnswer>;
  /** The test of a device has ended or was stopped: it is reconciled at once. */
  endTest: (test: { org_id: string; device_id: string }) => Promise<void>;
};

/** What every service is made of: who asks, in which organization, with what. */
export type Scope = {
  user: User;
  org_id: string;
  db: Database;
  scheduler: Scheduler;
  now: () => Date;
  newId: () => string;
  /** DEMO=on: loopback addresses are allowed, so that the simulator can be reached. */
  demo: boolean;
  /** The key by which the client marked this request's create; null without one. */
  idempotency_key: string | null;
  /** The secret that encrypts the providers' keys at rest: 32 bytes, base64. */
  settings_key: string;
};

/** Refuses with `forbidden` what the role can't do at all, before any record is looked up. */
export function permit(user: User, capability: Capability): void {
  if (!can(user, capability)) throw new Refusal("forbidden", "Permission denied");
}

/** What the caller is told when the engine itself could not be asked: 503. */
export function unanswered(caught: unknown): never {
  console.error("the engine did not answer", caught);
  throw new Refusal("unavailable", "The switching engine did not answer. Please try again.");
}

/** A statement for a batch: a change and its audit entry stand or fall together. */
export type Statement = BatchItem<"sqlite">;
