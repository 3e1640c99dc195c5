import { IN_BACKUPS } from "#db/backup-tables";
import { BACKUP_FORMAT, manifest, type Manifest } from "#domain/operations/backup";
import { Refusal } from "#domain/errors";
import { VERSION } from "#domain/version";
import { OBJECT_IN_BACKUPS } from "#durable/state/backup-tables";
import { invalid } from "#worker/services/refuse";

/** What a restore writes on: this release, and the key that secrets are sealed with here. */
export type Here = { org_id: string; d1_migrations: number; object_migrations: number; key_check: string };

/** The object's tables in a backup are told from D1's by this. */
export const OF_OBJECT = "object.";

const TABLES = new Set([
  ...IN_BACKUPS.map(({ table }) => table),
  ...Object.keys(OBJECT_IN_BACKUPS).map((table) => OF_OBJECT + table),
]);

/** The manifest, where it can be restored here. Refuses with a sentence each where it can't. */
export function restorable(input: unknown, here: Here): Manifest {
  const { data } = manifest.safeParse(input);
  if (!data) throw invalid("manifest", "This is not the manifest of a backup.");
  const { format, version, organization, migrations, key_check, files } = data;
  if (format > BACKUP_FORMAT)
    throw invalid(
      "manifest",
      `The backup's format is ${format}, and this release reads up to ${BACKUP_FORMAT}. ${newer(version)}`,
    );
  if (organization.id !== here.org_id)
    throw invalid("manifest", `This is a backup of ${organization.name} (${organization.id}), not of ${here.org_id}.`);
  if (migrations.database > here.d1_migrations || migrations.object > here.object_migrations)
    throw invalid("manifest", `The backup was made on a newer database than this release has. ${newer(version)}`);
  const unknown = files.find(({ table }) => !TABLES.has(table));
  if (unknown) throw invalid("manifest", `The backup has a table that this release does not know: ${unknown.table}.`);
  if (key_check !== here.key_check)
    throw new Refusal(
      "conflict",
      "The backup's secrets were sealed with another SETTINGS_KEY. Deploy with that key, or they could never be opened again.",
    );
  return data;
}

function newer(version: string): string {
  return `It was made by release ${version}; this is ${VERSION}. Deploy that release first.`;
}

/** What has not arrived of a backup, in a sentence; null where all of it has. `arrived` are rows by table. */
export function missingOf({ files }: Manifest, arrived: ReadonlyMap<string, number>): string | null {
  const logs = new Set(IN_BACKUPS.flatMap(({ table, isLog }) => (isLog ? [table] : [])));
  const missing = files.find(({ table, rows }) => !logs.has(table) && (arrived.get(table) ?? 0) !== rows);
  if (missing)
    return `Of ${missing.table}, ${arrived.get(missing.table) ?? 0} of ${missing.rows} rows have arrived. Run the restore again.`;
  const own = files.find(({ table }) => table === "organizations");
  return own?.rows === 1 ? null : "The backup has no organization.";
}
