CREATE TABLE `import_rows` (
	`import_id` text NOT NULL,
	`row` integer NOT NULL,
	`kind` text NOT NULL,
	`action` text NOT NULL,
	`record_id` text NOT NULL,
	`read_version` integer,
	`name` text NOT NULL,
	`fields` text NOT NULL,
	`details` text NOT NULL,
	PRIMARY KEY(`import_id`, `row`),
	FOREIGN KEY (`import_id`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`file_name` text,
	`state` text NOT NULL,
	`reason` text,
	`rows` integer NOT NULL,
	`done` integer DEFAULT 0 NOT NULL,
	`counts` text NOT NULL,
	`problem_count` integer DEFAULT 0 NOT NULL,
	`problems` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `imports_owner` ON `imports` (`org_id`,`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `imports_at` ON `imports` (`created_at`);