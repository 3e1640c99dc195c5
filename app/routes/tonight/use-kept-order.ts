import { useState } from "react";

/** The rows in the order in which they were first shown: nothing moves under a finger when a light goes wrong. */
export function useKeptOrder<Row extends { id: string }>(rows: Row[]): Row[] {
  const [order] = useState(() => new Map(rows.map(({ id }, at) => [id, at])));
  for (const { id } of rows) if (!order.has(id)) order.set(id, order.size);
  return rows.toSorted((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0));
}
