ALTER TABLE `agents` ADD `plan_refused` text;--> statement-breakpoint
ALTER TABLE `agents` ADD `health_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `hubs` ADD `health_seq` integer DEFAULT 0 NOT NULL;