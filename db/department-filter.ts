import { and, eq, inArray, isNull, or, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { dept_memberships, org_memberships } from "./schema";
import { ADMINS } from "./users";

/** Organization-wide rows and those of the departments; null means every department. */
export function inDepts(dept_id: SQLWrapper, depts: string[] | null): SQL | undefined {
  if (depts === null) return undefined;
  return or(isNull(dept_id), sql`${dept_id} in (select value from json_each(${JSON.stringify(depts)}))`);
}

/** Whether a department is visible, and none of `but`: those that the person may only read. */
export function isMeant(dept_id: SQLWrapper, depts: string[] | null, but: string[]): SQL | undefined {
  return and(
    inDepts(dept_id, depts),
    sql`coalesce(${dept_id}, '') not in (select value from json_each(${JSON.stringify(but)}))`,
  );
}

/** A person's tasks: all, those of one department, or those of departments that they are not in (`elsewhere`). */
export type Tasks = "all" | "elsewhere" | { dept_id: string };

/** Whether a task of the person's is one of these. */
export function isAmong(dept_id: SQLWrapper, tasks: Tasks, user_id: string): SQL | undefined {
  if (tasks === "all") return undefined;
  if (tasks !== "elsewhere") return eq(dept_id, tasks.dept_id);
  return isElsewhere(dept_id, user_id);
}

/** Whether the person does not see what is of the department: they are not in it, and no admin. */
export function isHiddenFrom(user_id: SQLWrapper | string, dept_id: SQLWrapper | string, org_id: string): SQL {
  const { role } = org_memberships;
  const isTheirs = and(eq(org_memberships.org_id, org_id), sql`${org_memberships.user_id} = ${user_id}`);
  const isAdmin = and(isTheirs, inArray(role, [...ADMINS]));
  return sql`(${isElsewhere(dept_id, user_id)} and not exists (select 1 from ${org_memberships} where ${isAdmin}))`;
}

function isElsewhere(dept_id: SQLWrapper | string, user_id: SQLWrapper | string): SQL {
  const { dept_id: theirs, user_id: member } = dept_memberships;
  return sql`${dept_id} is not null
    and not exists (select 1 from ${dept_memberships} where ${theirs} = ${dept_id} and ${member} = ${user_id})`;
}
