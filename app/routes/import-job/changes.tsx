import type { ImportChange } from "#domain/organization/import-records";
import { Badge } from "#app/ui/badge";
import { Rest } from "#app/routes/import/rest";

/** What each row will make or change, in the order in which it is done. */
export function Changes({ changes, all }: { changes: ImportChange[]; all: number }) {
  return (
    <>
      <ul aria-label="Changes" className="divide-line divide-y">
        {changes.map(({ row, kind, action, name, fields }) => (
          <li key={row} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 px-4 py-2">
            <span className="text-ink-faint w-20 shrink-0 text-sm tabular-nums">Row {row}</span>
            <Badge tone={action === "create" ? "ok" : "brand"}>
              {action === "create" ? `New ${kind}` : `Changed ${kind}`}
            </Badge>
            <span className="min-w-0 flex-1 basis-40 break-words">
              <span className="font-medium">{name}</span>
              {fields.length > 0 && <span className="text-ink-soft">: {fields.join(", ")}</span>}
            </span>
          </li>
        ))}
      </ul>
      <Rest shown={changes.length} all={all} />
    </>
  );
}
