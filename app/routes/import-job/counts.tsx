import { grouped } from "#domain/counted";
import { IMPORT_KINDS, type ImportKind } from "#domain/enums";
import type { ImportJob } from "#domain/organization/import-records";

const NOUNS: Record<ImportKind, string> = { area: "Areas", hub: "Hubs", device: "Devices" };

/** How many rows of each kind are new, change something, or say what is here already. */
export function Counts({ counts }: Pick<ImportJob, "counts">) {
  return (
    <table className="w-full text-left">
      <thead className="text-ink-soft text-sm">
        <tr>
          <th scope="col" className="px-4 py-2 font-medium">
            <span className="sr-only">Kind</span>
          </th>
          {["New", "Changed", "As they are"].map((label) => (
            <th key={label} scope="col" className="px-4 py-2 text-right font-medium">
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-line divide-y">
        {IMPORT_KINDS.map((kind) => {
          const { create, update, same } = counts[kind];
          return (
            <tr key={kind} className="border-line border-t">
              <th scope="row" className="px-4 py-2 font-medium">
                {NOUNS[kind]}
              </th>
              {[create, update, same].map((count, i) => (
                <td key={["create", "update", "same"][i]} className="px-4 py-2 text-right tabular-nums">
                  {grouped(count)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
