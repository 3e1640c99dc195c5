import { ARCHIVE_AFTER_DAYS } from "#domain/lists/archive";

/**
 * How far back the history on a page looks: an area's page reads its events device by device, and a light's only what is in
 * the database.
 */
export const HISTORY_DAYS = { area: 7, device: ARCHIVE_AFTER_DAYS };

/** How long an import and its staged rows are kept; the audit log keeps what it changed. */
export const IMPORT_DAYS = 30;
