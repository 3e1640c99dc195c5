import type { ReactNode } from "react";
import { Card } from "#app/ui/card";

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
      <table aria-label={label} className="limits-table">
        <thead>
          <tr>
            {[first, "Dark time", "Longest time on"].map((column) => (
              <th key={column} scope="col">
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
        <tbody>
          {rows.map(({ id, name, note, isNested, dark, max_on, actions }) => (
            <tr key={id} data-nested={isNested}>
              <th scope="row">
                {name} <span>{note}</span>
              </th>
              <td>{dark}</td>
              <td>{max_on}</td>
              {hasActions && <td>{actions}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
