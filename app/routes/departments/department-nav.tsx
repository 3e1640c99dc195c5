import { Link, useSearchParams } from "@remix-run/react";
import { Building2, ChevronRight } from "#app/ui/icons";
import type { Department } from "#domain/records/records";
import { Card } from "#app/ui/card";
import { classes } from "#app/ui/classes";

/** The list on the left; the query string names the chosen department. */
export function DepartmentNav({ departments }: { departments: Department[] }) {
  const [search] = useSearchParams();
  const chosen = search.get("department");
  return (
    <Card aria-label="Departments" className="overflow-hidden p-1.5">
      {departments.length === 0 && <p className="text-ink-soft px-3 py-6 text-center">No departments yet</p>}
      <ul className="flex flex-col gap-0.5">
        {departments.map(({ id, name }) => (
          <li key={id}>
            <Link
              to={`?department=${encodeURIComponent(id)}`}
              aria-current={id === chosen ? "true" : undefined}
              preventScrollReset
              className={classes(
                "flex min-h-11 items-center gap-3 rounded-md px-3 py-2 font-medium sm:min-h-10",
                id === chosen ? "bg-brand-soft text-brand-text" : "hover:bg-sunken",
              )}
            >
              <Building2 className="text-ink-faint size-4 shrink-0" />
              <span className="min-w-0 flex-1 break-words">{name}</span>
              <ChevronRight className="text-ink-faint size-4 shrink-0" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
