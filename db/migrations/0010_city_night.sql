CREATE TABLE `calendars` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`dates` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `calendars_org` ON `calendars` (`org_id`,`name`);--> statement-breakpoint
CREATE TABLE `closures` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text,
	`group_id` text,
	`area_id` text,
	`from_at` text NOT NULL,
	`to_at` text,
	`reason` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `device_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "closures_target" CHECK(("device_id" IS NOT NULL) + ("group_id" IS NOT NULL) + ("area_id" IS NOT NULL) = 1)
);
--> statement-breakpoint
CREATE INDEX `closures_org` ON `closures` (`org_id`,`to_at`);--> statement-breakpoint
CREATE INDEX `closures_device` ON `closures` (`device_id`);--> statement-breakpoint
CREATE INDEX `closures_group` ON `closures` (`group_id`);--> statement-breakpoint
CREATE INDEX `closures_area` ON `closures` (`area_id`);--> statement-breakpoint
CREATE TABLE `device_groups` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`area_id` text NOT NULL,
	`name` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `device_groups_org` ON `device_groups` (`org_id`,`area_id`);--> statement-breakpoint
CREATE TABLE `group_devices` (
	`org_id` text NOT NULL,
	`group_id` text NOT NULL,
	`device_id` text NOT NULL,
	`added_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	PRIMARY KEY(`group_id`, `device_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `device_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `group_devices_device` ON `group_devices` (`device_id`);--> statement-breakpoint
CREATE TABLE `permits` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text,
	`group_id` text,
	`area_id` text,
	`from_at` text NOT NULL,
	`to_at` text NOT NULL,
	`reason` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `device_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "permits_target" CHECK(("device_id" IS NOT NULL) + ("group_id" IS NOT NULL) + ("area_id" IS NOT NULL) = 1)
);
--> statement-breakpoint
CREATE INDEX `permits_org` ON `permits` (`org_id`,`to_at`);--> statement-breakpoint
CREATE INDEX `permits_device` ON `permits` (`device_id`);--> statement-breakpoint
CREATE INDEX `permits_group` ON `permits` (`group_id`);--> statement-breakpoint
CREATE INDEX `permits_area` ON `permits` (`area_id`);--> statement-breakpoint
CREATE TABLE `policies` (
	`org_id` text NOT NULL,
	`scope` text NOT NULL,
	`scope_id` text NOT NULL,
	`HARD_CURFEW_OFF` text,
	`BLACKOUT_WINDOW` text,
	`MAX_ON_DURATION_MIN` integer,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`org_id`, `scope`, `scope_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `__new_schedules` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`device_id` text,
	`group_id` text,
	`area_id` text,
	`target_since` text,
	`title` text NOT NULL,
	`description_short` text,
	`start_at` text NOT NULL,
	`end_at` text NOT NULL,
	`start_sun` text,
	`end_sun` text,
	`rrule` text,
	`timezone` text NOT NULL,
	`skips` text,
	`calendar_id` text,
	`calendar_rule` text,
	`status` text DEFAULT 'scheduled' NOT NULL,
	`last_end_at` text,
	`window_start_at` text,
	`window_end_at` text DEFAULT '',
	`then_start_at` text DEFAULT '',
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`device_id`) REFERENCES `devices`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`group_id`) REFERENCES `device_groups`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`area_id`) REFERENCES `areas`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`calendar_id`) REFERENCES `calendars`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "schedules_target" CHECK(("device_id" IS NOT NULL) + ("group_id" IS NOT NULL) + ("area_id" IS NOT NULL) = 1)
);
--> statement-breakpoint
INSERT INTO `__new_schedules` (`id`, `org_id`, `device_id`, `title`, `description_short`, `start_at`, `end_at`, `rrule`, `timezone`, `status`, `last_end_at`, `window_start_at`, `window_end_at`, `then_start_at`, `created_at`, `updated_at`, `version`) SELECT `id`, `org_id`, `device_id`, `title`, `description_short`, `start_at`, `end_at`, `rrule`, `timezone`, `status`, `last_end_at`, `window_start_at`, `window_end_at`, `then_start_at`, `created_at`, `updated_at`, `version` FROM `schedules`;--> statement-breakpoint
DROP TABLE `schedules`;--> statement-breakpoint
ALTER TABLE `__new_schedules` RENAME TO `schedules`;--> statement-breakpoint
CREATE INDEX `schedules_window_start` ON `schedules` (`org_id`,`window_start_at`);--> statement-breakpoint
CREATE INDEX `schedules_window` ON `schedules` (`org_id`,`window_end_at`);--> statement-breakpoint
CREATE INDEX `schedules_then_start` ON `schedules` (`org_id`,`then_start_at`);--> statement-breakpoint
CREATE INDEX `schedules_org` ON `schedules` (`org_id`,`start_at`);--> statement-breakpoint
CREATE INDEX `schedules_device` ON `schedules` (`device_id`);--> statement-breakpoint
CREATE INDEX `schedules_group` ON `schedules` (`group_id`);--> statement-breakpoint
CREATE INDEX `schedules_area` ON `schedules` (`area_id`);--> statement-breakpoint
CREATE INDEX `schedules_calendar` ON `schedules` (`calendar_id`);--> statement-breakpoint
ALTER TABLE `areas` ADD `positions` text;--> statement-breakpoint
ALTER TABLE `areas` ADD `stagger_sec` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `devices` ADD `restrike_min` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `devices` ADD `area_since` text;--> statement-breakpoint
ALTER TABLE `devices` ADD `hold` text;
--> statement-breakpoint
-- The columns that the engine plans from from now on.
DROP TRIGGER areas_update_change;
--> statement-breakpoint
CREATE TRIGGER areas_update_change AFTER UPDATE OF name, active, type, location, positions, stagger_sec ON areas BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'area', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
DROP TRIGGER devices_update_change;
--> statement-breakpoint
CREATE TRIGGER devices_update_change AFTER UPDATE OF area_id, hub_id, dept_id, name, model, cloud_device_id, local_ref, on_payload, off_payload, restrike_min ON devices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'device', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_insert_change AFTER INSERT ON schedules BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'schedule', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_update_change AFTER UPDATE OF device_id, group_id, area_id, target_since, title, start_at, end_at, start_sun, end_sun, rrule, timezone, skips, calendar_id, calendar_rule, status ON schedules BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'schedule', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_delete_change AFTER DELETE ON schedules BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'schedule', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER device_groups_insert_change AFTER INSERT ON device_groups BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'group', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER device_groups_update_change AFTER UPDATE OF area_id, name ON device_groups BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'group', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER device_groups_delete_change AFTER DELETE ON device_groups BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'group', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER calendars_insert_change AFTER INSERT ON calendars BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'calendar', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER calendars_update_change AFTER UPDATE OF dates ON calendars BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'calendar', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER calendars_delete_change AFTER DELETE ON calendars BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'calendar', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER permits_insert_change AFTER INSERT ON permits BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'permit', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER permits_update_change AFTER UPDATE OF device_id, group_id, area_id, from_at, to_at, reason ON permits BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'permit', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER permits_delete_change AFTER DELETE ON permits BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'permit', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER closures_insert_change AFTER INSERT ON closures BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'closure', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER closures_update_change AFTER UPDATE OF device_id, group_id, area_id, from_at, to_at, reason ON closures BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'closure', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER closures_delete_change AFTER DELETE ON closures BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'closure', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER policies_insert_change AFTER INSERT ON policies BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'policy', NEW.scope || ':' || NEW.scope_id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER policies_update_change AFTER UPDATE OF HARD_CURFEW_OFF, BLACKOUT_WINDOW, MAX_ON_DURATION_MIN ON policies BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'policy', NEW.scope || ':' || NEW.scope_id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER policies_delete_change AFTER DELETE ON policies BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'policy', OLD.scope || ':' || OLD.scope_id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER group_devices_insert_change AFTER INSERT ON group_devices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'group', NEW.group_id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
-- A group that is deleted is one change, not one for each of its devices.
CREATE TRIGGER group_devices_delete_change AFTER DELETE ON group_devices
WHEN EXISTS (SELECT 1 FROM device_groups WHERE id = OLD.group_id) BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'group', OLD.group_id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
-- A device that moves to another area leaves its groups, whoever moves it.
CREATE TRIGGER devices_move AFTER UPDATE OF area_id ON devices WHEN NEW.area_id <> OLD.area_id BEGIN
  UPDATE devices SET area_since = strftime('%Y-%m-%dT%H:%M:%fZ', 'now') WHERE id = NEW.id;
  DELETE FROM group_devices WHERE device_id = NEW.id
    AND group_id NOT IN (SELECT id FROM device_groups WHERE area_id = NEW.area_id);
END;
--> statement-breakpoint
CREATE TRIGGER areas_delete_policy AFTER DELETE ON areas BEGIN
  DELETE FROM policies WHERE org_id = OLD.org_id AND scope = 'area' AND scope_id = OLD.id;
END;
--> statement-breakpoint
CREATE TRIGGER device_groups_delete_policy AFTER DELETE ON device_groups BEGIN
  DELETE FROM policies WHERE org_id = OLD.org_id AND scope = 'group' AND scope_id = OLD.id;
END;
