import { counted } from "#domain/counted";
import { Link } from "@remix-run/react";
import { useOrganization } from "#app/components/organization";
import { formatInstant } from "#domain/time/display";
import type { ImportJob } from "#domain/organization/import-records";
import { IMPORT_DAYS } from "#domain/records/history-days";
import { StateBadge } from "./state-badge";

/** The person's own imports, so that one is found again whose tab was closed. */
export function ImportList({ imports }: { imports: ImportJob[] }) {
  const { zone } = useOrganization();
  if (imports.length === 0) return <p className="text-ink-soft px-4 py-3">None in the last {IMPORT_DAYS} days</p>;
  return (
    <ul aria-label="Imports" className="divide-line divide-y">
      {imports.map((one) => (
        <li key={one.id} className="flex items-center gap-3 px-4 py-2.5">
          <div className="min-w-0 flex-1">
            <Link to={`/import/${one.id}`} className="text-brand-text font-medium break-words hover:underline">
              {one.file_name ?? "Unnamed file"}
            </Link>
            <p className="text-ink-soft text-sm">
              {formatInstant(one.created_at, zone)}, {counted(one.rows, "row")}
            </p>
          </div>
          <StateBadge state={one.state} />
        </li>
      ))}
    </ul>
  );
}
