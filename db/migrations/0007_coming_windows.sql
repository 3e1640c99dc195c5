ALTER TABLE `schedules` ADD `window_start_at` text;--> statement-breakpoint
ALTER TABLE `schedules` ADD `window_end_at` text DEFAULT '';--> statement-breakpoint
ALTER TABLE `schedules` ADD `then_start_at` text DEFAULT '';--> statement-breakpoint
CREATE INDEX `schedules_window` ON `schedules` (`org_id`,`window_end_at`);