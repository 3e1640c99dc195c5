CREATE TABLE `webhook_deliveries` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`type` text NOT NULL,
	`alarm_id` text,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`http_status` integer,
	`ms` integer,
	`answer` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`last_at` text,
	`next_at` text
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_org` ON `webhook_deliveries` (`org_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_webhook` ON `webhook_deliveries` (`webhook_id`,`last_at`);--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`url` text NOT NULL,
	`active` integer DEFAULT true NOT NULL,
	`secret` text NOT NULL,
	`hint` text NOT NULL,
	`issued_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`previous_secret` text,
	`previous_until` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `webhooks_org` ON `webhooks` (`org_id`,`name`,`id`);--> statement-breakpoint
CREATE TRIGGER webhooks_insert_change AFTER INSERT ON webhooks BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'webhook', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_update_change AFTER UPDATE OF name, url, active, secret, previous_secret, previous_until ON webhooks BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'webhook', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER webhooks_delete_change AFTER DELETE ON webhooks BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'webhook', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
