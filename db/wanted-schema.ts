import journal from "./migrations/meta/_journal.json";

/** The last of D1's migrations that this release knows, by its file's name. */
export const WANTED_SCHEMA = `${journal.entries.at(-1)?.tag ?? ""}.sql`;
