CREATE TABLE `scheduler_health` (
	`org_id` text PRIMARY KEY NOT NULL,
	`asked_at` text NOT NULL,
	`silent_since` text,
	`report` text
);
