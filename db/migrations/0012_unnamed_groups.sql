-- A group without a name, made by ticking devices, goes when no schedule, permit or closure is for it any more.
CREATE TRIGGER schedules_update_unnamed AFTER UPDATE OF group_id ON schedules WHEN OLD.group_id IS NOT NEW.group_id BEGIN
  DELETE FROM device_groups WHERE id = OLD.group_id AND name IS NULL
    AND NOT EXISTS (SELECT 1 FROM schedules WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM permits WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM closures WHERE group_id = OLD.group_id);
END;
--> statement-breakpoint
CREATE TRIGGER schedules_delete_unnamed AFTER DELETE ON schedules BEGIN
  DELETE FROM device_groups WHERE id = OLD.group_id AND name IS NULL
    AND NOT EXISTS (SELECT 1 FROM schedules WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM permits WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM closures WHERE group_id = OLD.group_id);
END;
--> statement-breakpoint
CREATE TRIGGER permits_delete_unnamed AFTER DELETE ON permits BEGIN
  DELETE FROM device_groups WHERE id = OLD.group_id AND name IS NULL
    AND NOT EXISTS (SELECT 1 FROM schedules WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM permits WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM closures WHERE group_id = OLD.group_id);
END;
--> statement-breakpoint
CREATE TRIGGER closures_update_unnamed AFTER UPDATE OF group_id ON closures WHEN OLD.group_id IS NOT NEW.group_id BEGIN
  DELETE FROM device_groups WHERE id = OLD.group_id AND name IS NULL
    AND NOT EXISTS (SELECT 1 FROM schedules WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM permits WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM closures WHERE group_id = OLD.group_id);
END;
--> statement-breakpoint
CREATE TRIGGER closures_delete_unnamed AFTER DELETE ON closures BEGIN
  DELETE FROM device_groups WHERE id = OLD.group_id AND name IS NULL
    AND NOT EXISTS (SELECT 1 FROM schedules WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM permits WHERE group_id = OLD.group_id)
    AND NOT EXISTS (SELECT 1 FROM closures WHERE group_id = OLD.group_id);
END;
