-- Every change of what the engine plans from bumps the organization's config_version and names the record in changes,
-- cascades included, so that no write can forget it. What the engine itself writes back (states, health) does not.
CREATE TRIGGER areas_insert_change AFTER INSERT ON areas BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'area', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER areas_update_change AFTER UPDATE OF name, active ON areas BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'area', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER areas_delete_change AFTER DELETE ON areas BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'area', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER hubs_insert_change AFTER INSERT ON hubs BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'hub', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER hubs_update_change AFTER UPDATE OF area_id, name, ip_address, port, connection_mode, local_client_id, local_client_secret ON hubs BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'hub', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER hubs_delete_change AFTER DELETE ON hubs BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'hub', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER devices_insert_change AFTER INSERT ON devices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'device', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER devices_update_change AFTER UPDATE OF area_id, hub_id, dept_id, name, model, cloud_device_id, local_ref, on_payload, off_payload ON devices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'device', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER devices_delete_change AFTER DELETE ON devices BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'device', OLD.id FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_insert_change AFTER INSERT ON schedules BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'schedule', NEW.id FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER schedules_update_change AFTER UPDATE OF device_id, title, start_at, end_at, rrule, timezone, status ON schedules BEGIN
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
CREATE TRIGGER settings_insert_change AFTER INSERT ON settings BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'settings', NEW.key FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER settings_update_change AFTER UPDATE OF value ON settings BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = NEW.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT NEW.org_id, config_version, 'settings', NEW.key FROM organizations WHERE id = NEW.org_id;
END;
--> statement-breakpoint
CREATE TRIGGER settings_delete_change AFTER DELETE ON settings BEGIN
  UPDATE organizations SET config_version = config_version + 1 WHERE id = OLD.org_id;
  INSERT INTO changes (org_id, version, kind, record_id)
    SELECT OLD.org_id, config_version, 'settings', OLD.key FROM organizations WHERE id = OLD.org_id;
END;
--> statement-breakpoint
-- Audit entries are append-only. Only retention deletes, and only what is older than a month.
CREATE TRIGGER audit_logs_no_update BEFORE UPDATE ON audit_logs BEGIN
  SELECT RAISE(ABORT, 'audit entries cannot be changed');
END;
--> statement-breakpoint
CREATE TRIGGER audit_logs_no_delete BEFORE DELETE ON audit_logs
WHEN OLD.created_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-30 days') BEGIN
  SELECT RAISE(ABORT, 'audit entries cannot be deleted');
END;
