CREATE TABLE `archive_health` (
	`org_id` text PRIMARY KEY NOT NULL,
	`run_at` text NOT NULL,
	`waiting_since` text,
	`failed_at` text,
	`failed` text
);
