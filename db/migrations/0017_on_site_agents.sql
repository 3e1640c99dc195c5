CREATE TABLE `agents` (
	`id` text PRIMARY KEY NOT NULL,
	`org_id` text NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text NOT NULL,
	`hint` text NOT NULL,
	`issued_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`generation` integer DEFAULT 1 NOT NULL,
	`revoked_at` text,
	`status` text DEFAULT 'never' NOT NULL,
	`connected_since` text,
	`last_seen` text,
	`agent_version` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agents_org` ON `agents` (`org_id`,`name`,`id`);--> statement-breakpoint
ALTER TABLE `hubs` ADD `agent_id` text REFERENCES agents(id) ON DELETE SET NULL;--> statement-breakpoint
CREATE INDEX `hubs_agent` ON `hubs` (`agent_id`);
--> statement-breakpoint
DROP TRIGGER hubs_update_change;
--> statement-breakpoint
CREATE TRIGGER hubs_update_change AFTER UPDATE OF area_id, name, ip_address, port, connection_mode, agent_id, local_client_id, local_client_secret ON hubs BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'hub', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER agents_insert_change AFTER INSERT ON agents BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'agent', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER agents_update_change AFTER UPDATE OF name, generation, revoked_at ON agents BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'agent', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER agents_delete_change AFTER DELETE ON agents BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'agent', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
