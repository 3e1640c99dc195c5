import { isNull, or, sql, type AnyColumn, type SQL } from "drizzle-orm";

/** Organization-wide rows and those of the departments; null means every department (decision 10). */
export function inDepts(dept_id: AnyColumn, depts: string[] | null): SQL | undefined {
  if (depts === null) return undefined;
  return or(isNull(dept_id), sql`${dept_id} in (select value from json_each(${JSON.stringify(depts)}))`);
}
