ALTER TABLE `devices` ADD `hold_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `devices` ADD `problem_seq` integer DEFAULT 0 NOT NULL;