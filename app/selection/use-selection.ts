import { useState } from "react";

/** Which rows on screen are selected while selecting. A row that leaves the page is no longer selected. */
export function useSelection<Row extends { id: string }>(rows: Row[]) {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const chosen = rows.filter(({ id }) => ids?.has(id));
  return {
    isOn: ids !== null,
    chosen,
    isAll: rows.length > 0 && chosen.length === rows.length,
    begin: () => setIds(new Set()),
    end: () => setIds(null),
    choose: (next: { id: string }[]) => setIds(new Set(next.map(({ id }) => id))),
    chooseAll: () => setIds(new Set(chosen.length === rows.length ? [] : rows.map(({ id }) => id))),
    mayChoose: (id: string) => rows.some((row) => row.id === id),
    /** For the checkbox of one row. */
    of: (id: string) => ({
      checked: ids?.has(id) ?? false,
      toggle: () => {
        const next = new Set(ids);
        if (!next.delete(id)) next.add(id);
        setIds(next);
      },
    }),
  };
}

/** The selection for the shared components, independent of the rows' type. */
export type Choosing = Omit<Selection, "choose">;
export type Selection<Row extends { id: string } = { id: string }> = ReturnType<typeof useSelection<Row>>;
