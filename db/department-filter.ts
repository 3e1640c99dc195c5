import { eq, isNull, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { dept_memberships } from "./schema";

/** Organization-wide rows and those of the departments; null means every department. */
export function inDepts(dept_id: SQLWrapper, depts: string[] | null): SQL | undefined {
  if (depts === null) return undefined;
  return or(isNull(dept_id), sql`${dept_id} in (select value from json_each(${JSON.stringify(depts)}))`);
}

/** A person's tasks: all, those of one department, or those of departments that they are not in (`elsewhere`). */
export type Tasks = "all" | "elsewhere" | { dept_id: string };

/** Whether a task of the person's is one of these. */
export function isAmong(dept_id: SQLWrapper, tasks: Tasks, user_id: string): SQL | undefined {
  if (tasks === "all") return undefined;
  if (tasks !== "elsewhere") return eq(dept_id, tasks.dept_id);
  const { dept_id: theirs, user_id: member } = dept_memberships;
  return sql`${dept_id} is not null
    and not exists (select 1 from ${dept_memberships} where ${theirs} = ${dept_id} and ${member} = ${user_id})`;
}
