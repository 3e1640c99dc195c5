CREATE TABLE `message_choices` (
	`org_id` text NOT NULL,
	`user_id` text NOT NULL,
	`phone` text,
	`email` text,
	`urgent_by` text DEFAULT '[]' NOT NULL,
	`other_by` text DEFAULT '[]' NOT NULL,
	`left_out` text DEFAULT '[]' NOT NULL,
	`quiet_from` text,
	`quiet_to` text,
	`digest` integer DEFAULT true NOT NULL,
	`tested_at` text,
	`created_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`updated_at` text DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	PRIMARY KEY(`org_id`, `user_id`),
	FOREIGN KEY (`org_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `message_choices_user` ON `message_choices` (`user_id`);--> statement-breakpoint
CREATE TRIGGER message_choices_insert_change AFTER INSERT ON message_choices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'message_choice', NEW.user_id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER message_choices_update_change AFTER UPDATE OF phone, email, urgent_by, other_by, left_out, quiet_from, quiet_to, digest ON message_choices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'message_choice', NEW.user_id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER message_choices_delete_change AFTER DELETE ON message_choices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'message_choice', OLD.user_id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER org_memberships_update_recipient AFTER UPDATE OF role, active, pending ON org_memberships
  WHEN EXISTS (SELECT 1 FROM message_choices c WHERE c.org_id = NEW.org_id AND c.user_id = NEW.user_id) BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'message_choice', NEW.user_id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER org_memberships_delete_recipient AFTER DELETE ON org_memberships
  WHEN EXISTS (SELECT 1 FROM message_choices c WHERE c.org_id = OLD.org_id AND c.user_id = OLD.user_id) BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'message_choice', OLD.user_id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER dept_memberships_insert_recipient AFTER INSERT ON dept_memberships
  WHEN EXISTS (SELECT 1 FROM message_choices c WHERE c.org_id = NEW.org_id AND c.user_id = NEW.user_id) BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'message_choice', NEW.user_id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER dept_memberships_delete_recipient AFTER DELETE ON dept_memberships
  WHEN EXISTS (SELECT 1 FROM message_choices c WHERE c.org_id = OLD.org_id AND c.user_id = OLD.user_id) BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'message_choice', OLD.user_id FROM organizations WHERE id = OLD.org_id;
END;
