import type { ReactNode } from "react";
import { useOrganization } from "#app/components/organization";
import { formatInstant } from "#domain/display";
import { Card } from "#app/ui/card";

/** A table on a desk; on a phone each row is a small block, so that nothing has to be scrolled sideways. */
export function LogTable({ columns, children }: { columns: string[]; children: ReactNode }) {
  return (
    <Card className="overflow-hidden">
      <table className="w-full text-left max-md:block">
        <thead className="bg-sunken text-ink-soft text-xs max-md:sr-only">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-4 py-2.5 font-medium whitespace-nowrap">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-line divide-y max-md:block">{children}</tbody>
      </table>
    </Card>
  );
}

/** Its cells, in the order of the columns. On a phone name and time are the first line, the note is the last. */
export function LogRow({ children }: { children: ReactNode }) {
  return (
    <tr className="max-md:flex max-md:flex-wrap max-md:items-center max-md:gap-x-2 max-md:gap-y-1.5 max-md:px-4 max-md:py-3">
      {children}
      <td aria-hidden className="hidden max-md:order-3 max-md:block max-md:h-0 max-md:w-full" />
    </tr>
  );
}

const CELL = "px-4 py-2.5 align-middle max-md:p-0";

export function LogTime({ at }: { at: string }) {
  const { zone } = useOrganization();
  return (
    <td className={`${CELL} text-ink-soft whitespace-nowrap max-md:order-2 max-md:ml-auto max-md:text-xs`}>
      <time dateTime={at}>{formatInstant(at, zone)}</time>
    </td>
  );
}

export function LogName({ children }: { children: ReactNode }) {
  return (
    <th scope="row" className={`${CELL} min-w-32 font-medium max-md:order-1 max-md:max-w-[65%] max-md:truncate`}>
      {children}
    </th>
  );
}

export const LogCell = ({ children }: { children: ReactNode }) => (
  <td className={`${CELL} whitespace-nowrap max-md:order-4`}>{children}</td>
);

export const LogNote = ({ children }: { children: ReactNode }) => (
  <td className={`${CELL} text-ink-soft w-3/10 max-md:order-5 max-md:w-full max-md:empty:hidden`}>{children}</td>
);
