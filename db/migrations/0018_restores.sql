CREATE TABLE `restore_rows` (
	`org_id` text NOT NULL,
	`table_name` text NOT NULL,
	`row` integer NOT NULL,
	`body` text NOT NULL,
	PRIMARY KEY(`org_id`, `table_name`, `row`)
);
--> statement-breakpoint
CREATE TABLE `restores` (
	`org_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`manifest` text NOT NULL,
	`begun_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL
);
