DROP INDEX `areas_org`;--> statement-breakpoint
CREATE INDEX `areas_org` ON `areas` (`org_id`,"name" collate nocase,`id`);