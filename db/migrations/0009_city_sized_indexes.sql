DROP INDEX `schedules_open`;--> statement-breakpoint
CREATE INDEX `schedules_window_start` ON `schedules` (`org_id`,`window_start_at`);--> statement-breakpoint
CREATE INDEX `schedules_then_start` ON `schedules` (`org_id`,`then_start_at`);--> statement-breakpoint
DROP INDEX `areas_org`;--> statement-breakpoint
CREATE INDEX `areas_org` ON `areas` (`org_id`,`name`,`id`);--> statement-breakpoint
DROP INDEX `audit_logs_org`;--> statement-breakpoint
CREATE INDEX `audit_logs_org` ON `audit_logs` (`org_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `device_events_org`;--> statement-breakpoint
DROP INDEX `device_events_device`;--> statement-breakpoint
DROP INDEX `device_events_area`;--> statement-breakpoint
CREATE INDEX `device_events_org` ON `device_events` (`org_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `device_events_device` ON `device_events` (`org_id`,`device_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `device_events_area` ON `device_events` (`org_id`,`area_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `scheduler_events_org`;--> statement-breakpoint
DROP INDEX `scheduler_events_device`;--> statement-breakpoint
CREATE INDEX `scheduler_events_org` ON `scheduler_events` (`org_id`,`ts`,`id`);--> statement-breakpoint
CREATE INDEX `scheduler_events_device` ON `scheduler_events` (`org_id`,`device_id`,`ts`,`id`);