/** The tables of the object that a backup has, with the columns that its rows are known by. */
export const OBJECT_IN_BACKUPS = {
  device_memory: ["device_id"],
  claims: ["schedule_id", "date", "device_id"],
  commands: ["target_kind", "target_id"],
  incidents: ["incident"],
  outbox: ["id"],
  agent_links: ["agent_id"],
  standing_plans: ["agent_id"],
  planned_lamps: ["agent_id", "plan", "n"],
} as const;

/** The tables of the object that a backup does not have, and why. */
export const OBJECT_NOT_IN_BACKUPS: Readonly<Record<string, string>> = {
  meta: "what the object knows of itself: a restored one is another",
  plan: "it is pulled from D1",
  timers: "a wake-up is no order: the first evaluation of a light asks for its own",
  calls: "what was under way then is not under way now",
  polls: "nobody waits for them, and they are asked anew",
  reads: "when the watchdog last asked; its round begins anew",
  messages: "a text message about that night is not sent days later",
  escalations: "people were told that night",
  passed_on: "it belongs to the escalations",
  held_messages: "what people slept through that night is not told days later",
  held_counts: "they belong to the held messages",
  webhook_log: "it tells of such messages",
  webhook_messages: "a message about that night is not sent days later",
  hub_trouble: "a pause is a matter of seconds",
  calls_made: "the vendor's limits look back five minutes",
  reservations: "they belong to the vendor's limits",
  cooldowns: "they belong to the vendor's limits",
  sessions: "access tokens last two hours, and device lists are read again",
  lamps: "they stand for hardware, which no backup brings back",
  faults: "they are what tests do to that hardware",
};
