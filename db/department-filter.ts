import { isNull, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";

/** Organization-wide rows and those of the departments; null means every department. */
export function inDepts(dept_id: SQLWrapper, depts: string[] | null): SQL | undefined {
  if (depts === null) return undefined;
  return or(isNull(dept_id), sql`${dept_id} in (select value from json_each(${JSON.stringify(depts)}))`);
}
