import type { ReactNode } from "react";
import { Card } from "#app/ui/card";
import { classes } from "#app/ui/classes";

export type LimitsRow = {
  id: string;
  name: ReactNode;
  /** What kind of level it is. */
  note: string;
  isNested?: boolean;
  dark: string;
  max_on: string;
  actions?: ReactNode;
};

/** Places with their dark time and their longest time on; on a narrow screen each row becomes a block. */
export function LimitsTable({ label, first, rows }: { label: string; first: string; rows: LimitsRow[] }) {
  const hasActions = rows.some(({ actions }) => actions);
  return (
    <Card className="overflow-hidden">
      <table aria-label={label} className="w-full text-left max-md:block">
        <thead className="bg-sunken text-ink-soft text-xs max-md:sr-only">
          <tr>
            {[first, "Dark time", "Longest time on"].map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 font-medium">
                {column}
              </th>
            ))}
            {hasActions && (
              <th scope="col">
                <span className="sr-only">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody className="divide-line divide-y max-md:block">
          {rows.map(({ id, name, note, isNested, dark, max_on, actions }) => (
            <tr key={id} className="max-md:relative max-md:flex max-md:flex-col max-md:gap-0.5 max-md:px-4 max-md:py-3">
              <th
                scope="row"
                className={classes(CELL, "font-medium md:w-1/3 max-md:pr-20", isNested && "md:pl-8 max-md:pl-4")}
              >
                {name} <span className="text-ink-faint text-xs font-normal">{note}</span>
              </th>
              <td className={classes(CELL, isNested && "max-md:pl-4")}>{dark}</td>
              <td className={classes(CELL, isNested && "max-md:pl-4")}>{max_on}</td>
              {hasActions && (
                <td className={classes(CELL, "w-24 max-md:absolute max-md:top-2 max-md:right-3 max-md:w-auto")}>
                  {actions && <div className="flex md:justify-end">{actions}</div>}
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}

const CELL = "px-4 py-2.5 align-middle max-md:p-0";
