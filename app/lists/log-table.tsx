import type { ReactNode } from "react";
import { useOrganization } from "#app/components/organization";
import { formatDated } from "#domain/time/display";
import { Card } from "#app/ui/card";

/** A table on a wide screen; on a narrow one each row becomes a block, so that nothing scrolls sideways. */
export function LogTable({ columns, children }: { columns: string[]; children: ReactNode }) {
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left max-xl:block">
        <thead className="bg-sunken text-ink-soft text-xs max-xl:sr-only">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 font-medium whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line divide-y max-xl:block">{children}</tbody>
      </table>
    </Card>
  );
}

/** The cells in the order of the columns. As a block, the first line is name and time and the last the note. */
export function LogRow({ children }: { children: ReactNode }) {
  return (
    <tr className="max-xl:flex max-xl:flex-wrap max-xl:items-center max-xl:gap-x-2 max-xl:gap-y-1.5 max-xl:px-4 max-xl:py-3">
      {children}
      <td aria-hidden className="hidden max-xl:order-3 max-xl:block max-xl:h-0 max-xl:w-full" />
    </tr>
  );
}

const CELL = "px-4 py-2.5 align-middle max-xl:p-0";

export function LogTime({ at }: { at: string }) {
  const { zone, loaded_at } = useOrganization();
  return (
    <td className={`${CELL} text-ink-soft whitespace-nowrap max-xl:order-2 max-xl:ml-auto max-xl:text-xs`}>
      <time dateTime={at}>{formatDated(at, zone, loaded_at)}</time>
    </td>
  );
}

export function LogName({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className={`${CELL} min-w-32 font-medium max-xl:order-1 max-xl:max-w-[65%]`}>
      {children}
    </th>
  );
}

export const LogCell = ({ children }: { children: ReactNode }) => (
  <td className={`${CELL} whitespace-nowrap max-xl:order-4`}>{children}</td>
);

export const LogNote = ({ children }: { children: ReactNode }) => (
  <td className={`${CELL} text-ink-soft w-3/10 max-xl:order-5 max-xl:w-full max-xl:empty:hidden`}>{children}</td>
);
