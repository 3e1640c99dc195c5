-- REPLACE deletes without asking the trigger of deletion: an entry that is there is not written again.
CREATE TRIGGER audit_logs_no_replace BEFORE INSERT ON audit_logs
WHEN EXISTS (SELECT 1 FROM audit_logs WHERE id = NEW.id) BEGIN
  SELECT RAISE(ABORT, 'audit entries cannot be changed');
END;
