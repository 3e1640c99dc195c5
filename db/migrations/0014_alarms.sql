CREATE TABLE `alarms` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`kind` text NOT NULL,
	`device_id` text,
	`device_name` text,
	`hub_id` text,
	`hub_name` text,
	`area_id` text,
	`area_name` text,
	`dept_id` text,
	`dept_name` text,
	`what` text NOT NULL,
	`why` text NOT NULL,
	`opened_at` text NOT NULL,
	`over_at` text,
	`seq` integer NOT NULL,
	`acknowledged_at` text,
	`acknowledged_by` text,
	`assigned_to` text,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`assigned_to`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE INDEX `alarms_org` ON `alarms` (`org_id`,`over_at`,`acknowledged_at`,`opened_at`,`id`);--> statement-breakpoint
CREATE INDEX `alarms_device` ON `alarms` (`device_id`,`over_at`);--> statement-breakpoint
CREATE INDEX `alarms_area` ON `alarms` (`area_id`,`over_at`);--> statement-breakpoint
ALTER TABLE `workorders` ADD `alarm_id` text REFERENCES alarms(id) ON DELETE SET NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `workorders_alarm` ON `workorders` (`alarm_id`);
--> statement-breakpoint
-- The work order that was made from an alarm is told in the activity log that the alarm is over, once.
CREATE TRIGGER alarms_over AFTER UPDATE OF over_at ON alarms WHEN OLD.over_at IS NULL AND NEW.over_at IS NOT NULL BEGIN
  INSERT INTO audit_logs (id, org_id, action, resource_type, resource_id, details)
    SELECT lower(hex(randomblob(16))), org_id, 'alarm_over', 'workorder', id,
      json_object('after', json_object('title', title, 'alarm_id', NEW.id, 'alarm_over_at', NEW.over_at))
    FROM workorders WHERE alarm_id = NEW.id;
END;
