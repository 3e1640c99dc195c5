CREATE INDEX `devices_page` ON `devices` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `hubs_page` ON `hubs` (`org_id`,`id`);--> statement-breakpoint
CREATE INDEX `schedules_page` ON `schedules` (`org_id`,`id`);