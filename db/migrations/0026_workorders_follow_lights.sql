-- A light that moves to another area takes along what is still to be done about it, whoever moves it.
CREATE TRIGGER devices_move_workorders AFTER UPDATE OF area_id ON devices WHEN NEW.area_id <> OLD.area_id BEGIN
  UPDATE workorders SET area_id = NEW.area_id, version = version + 1
    WHERE device_id = NEW.id AND +area_id = OLD.area_id AND status IN ('open', 'in_progress');
END;
