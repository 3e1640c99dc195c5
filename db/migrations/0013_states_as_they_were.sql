CREATE TABLE `state_changes` (
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`kind` text NOT NULL,
	`at` text NOT NULL,
	`state` text NOT NULL,
	`reason` text,
	`sentence` text,
	`schedule_ids` text,
	`booked_until` text,
	PRIMARY KEY(`org_id`, `device_id`, `kind`, `at`)
);
--> statement-breakpoint
CREATE INDEX `state_changes_at` ON `state_changes` (`org_id`,`at`);