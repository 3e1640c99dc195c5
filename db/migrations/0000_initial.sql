CREATE TABLE `areas` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`type` text DEFAULT 'park' NOT NULL,
	`location` text,
	`active` integer DEFAULT true NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `areas_org` ON `areas` (`org_id`,`name`);--> statement-breakpoint
CREATE TABLE `audit_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`actor_id` text,
	`actor_email` text,
	`actor_role` text,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text,
	`details` text
);
--> statement-breakpoint
CREATE INDEX `audit_logs_org` ON `audit_logs` (`org_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `changes` (
	`org_id` text NOT NULL,
	`version` integer NOT NULL,
	`kind` text NOT NULL,
	`record_id` text NOT NULL,
	`at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	PRIMARY KEY(`org_id`, `version`, `kind`, `record_id`)
);
--> statement-breakpoint
CREATE TABLE `connectivity_logs` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`action` text NOT NULL,
	`device_id` text,
	`dept_id` text,
	`device_name` text,
	`hub_name` text,
	`provider` text,
	`result` text NOT NULL,
	`response_snippet` text
);
--> statement-breakpoint
CREATE INDEX `connectivity_logs_org` ON `connectivity_logs` (`org_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `departments` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `departments_org` ON `departments` (`org_id`,`name`);--> statement-breakpoint
CREATE TABLE `dept_memberships` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`dept_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`dept_id`) REFERENCES `departments`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `dept_memberships_once` ON `dept_memberships` (`dept_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `dept_memberships_user` ON `dept_memberships` (`org_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `device_events` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`device_id` text,
	`area_id` text,
	`dept_id` text,
	`device_name` text,
	`area_name` text,
	`hub_name` text,
	`schedule_title` text,
	`action` text NOT NULL,
	`result` text NOT NULL,
	`provider` text,
	`response_snippet` text,
	`http_status` integer,
	`rtt_ms` real
);
--> statement-breakpoint
CREATE INDEX `device_events_org` ON `device_events` (`org_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `device_events_device` ON `device_events` (`org_id`,`device_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `device_events_area` ON `device_events` (`org_id`,`area_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `devices` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`area_id` text NOT NULL,
	`hub_id` text,
	`dept_id` text,
	`name` text NOT NULL,
	`model` text,
	`cloud_device_id` text,
	`local_ref` text,
	`on_payload` text,
	`off_payload` text,
	`notes` text,
	`current_state` text DEFAULT 'unknown' NOT NULL,
	`last_state_at` text,
	`state_seq` integer DEFAULT 0 NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`hub_id`) REFERENCES `hubs`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`dept_id`) REFERENCES `departments`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `devices_org` ON `devices` (`org_id`,`name`);--> statement-breakpoint
CREATE INDEX `devices_area` ON `devices` (`area_id`);--> statement-breakpoint
CREATE INDEX `devices_hub` ON `devices` (`hub_id`);--> statement-breakpoint
CREATE INDEX `devices_dept` ON `devices` (`org_id`,`dept_id`);--> statement-breakpoint
CREATE TABLE `hubs` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`area_id` text NOT NULL,
	`name` text NOT NULL,
	`ip_address` text,
	`port` integer DEFAULT 1080 NOT NULL,
	`connection_mode` text DEFAULT 'hybrid' NOT NULL,
	`notes` text,
	`local_client_id` text,
	`local_client_secret` text,
	`status` text DEFAULT 'unknown' NOT NULL,
	`last_seen` text,
	`rtt_ms` integer,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `hubs_org` ON `hubs` (`org_id`,`name`);--> statement-breakpoint
CREATE INDEX `hubs_area` ON `hubs` (`area_id`);--> statement-breakpoint
CREATE TABLE `login_attempts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`email` text NOT NULL,
	`address` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `login_attempts_address` ON `login_attempts` (`address`,`at`);--> statement-breakpoint
CREATE INDEX `login_attempts_at` ON `login_attempts` (`at`);--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`incident` text NOT NULL,
	`kind` text NOT NULL,
	`message` text NOT NULL,
	`recipients` text NOT NULL,
	`status` text NOT NULL,
	`detail` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`sent_at` text
);
--> statement-breakpoint
CREATE INDEX `notifications_org` ON `notifications` (`org_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `org_memberships` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`org_id`, `user_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `org_memberships_user` ON `org_memberships` (`user_id`);--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`config_version` integer DEFAULT 0 NOT NULL,
	`epoch` text DEFAULT '1' NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL
);
--> statement-breakpoint
CREATE TABLE `scheduler_events` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`ts` text NOT NULL,
	`device_id` text,
	`dept_id` text,
	`device_name` text,
	`source` text NOT NULL,
	`action` text NOT NULL,
	`result` text NOT NULL,
	`attempts` integer NOT NULL,
	`note` text
);
--> statement-breakpoint
CREATE INDEX `scheduler_events_org` ON `scheduler_events` (`org_id`,`ts`);--> statement-breakpoint
CREATE INDEX `scheduler_events_device` ON `scheduler_events` (`org_id`,`device_id`,`ts`);--> statement-breakpoint
CREATE TABLE `schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text NOT NULL,
	`title` text NOT NULL,
	`description_short` text,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`rrule` text,
	`timezone` text NOT NULL,
	`status` text DEFAULT 'scheduled' NOT NULL,
	`last_end_at` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `schedules_org` ON `schedules` (`org_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `schedules_device` ON `schedules` (`device_id`);--> statement-breakpoint
CREATE INDEX `schedules_open` ON `schedules` (`org_id`,`status`,`last_end_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`dept_id` text,
	`user_id` text NOT NULL,
	`expires_at` text NOT NULL,
	`revoked_at` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`dept_id`) REFERENCES `departments`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `settings` (
	`org_id` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	PRIMARY KEY(`org_id`, `key`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `workorders` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`title` text NOT NULL,
	`description` text,
	`status` text DEFAULT 'open' NOT NULL,
	`priority` text DEFAULT 'medium' NOT NULL,
	`dept_id` text,
	`device_id` text,
	`area_id` text,
	`assigned_to` text,
	`created_by` text,
	`completed_at` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`dept_id`) REFERENCES `departments`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`assigned_to`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `workorders_org` ON `workorders` (`org_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `workorders_device` ON `workorders` (`device_id`);--> statement-breakpoint
CREATE INDEX `workorders_area` ON `workorders` (`area_id`);--> statement-breakpoint
CREATE INDEX `workorders_dept` ON `workorders` (`dept_id`);