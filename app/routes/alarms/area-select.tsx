import { Form } from "@remix-run/react";
import { areaFilter } from "#app/lists/list-filters";
import { FilterPanel } from "#app/lists/filter-panel";
import { KeptFields } from "#app/lists/kept-fields";
import { useListFilters } from "#app/lists/use-list-filters";
import type { Choice } from "#domain/lists/list-query";

/** Narrows the alarms to those of one area; the address holds it. */
export function AreaSelect({ areas }: { areas: Choice[] }) {
  const { asked, form, onChange, onSubmit } = useListFilters();
  if (areas.length === 0) return null;
  return (
    <Form ref={form} role="search" onChange={onChange} onSubmit={onSubmit} className="relative w-full sm:w-80">
      <KeptFields asked={asked} own={["area"]} />
      <FilterPanel filters={[areaFilter(areas)]} asked={asked} count={asked.has("area") ? 1 : 0} />
    </Form>
  );
}
