ALTER TABLE `devices` ADD `problem` text;--> statement-breakpoint
ALTER TABLE `devices` ADD `problem_since` text;--> statement-breakpoint
ALTER TABLE `scheduler_events` ADD `cause` text;