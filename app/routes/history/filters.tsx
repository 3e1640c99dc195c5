import { useSearchParams } from "@remix-run/react";
import { FilterX } from "lucide-react";
import { Button } from "#app/ui/button";
import { Field, Select } from "#app/ui/field";
import type { Places } from "./filter";

/** They live in the query string, so that a filtered view can be linked. */
export function Filters({ areas, devices }: Places) {
  const [search, setSearch] = useSearchParams();
  const area = search.get("area") ?? "";
  const device = search.get("device") ?? "";
  const inArea = area ? devices.filter(({ area_id }) => area_id === area) : devices;

  function choose(next: { area: string; device: string }) {
    const stays = devices.some(({ id, area_id }) => id === next.device && (!next.area || area_id === next.area));
    setSearch(
      { ...(next.area ? { area: next.area } : {}), ...(stays ? { device: next.device } : {}) },
      { preventScrollReset: true },
    );
  }

  return (
    <div className="mb-4 grid grid-cols-2 items-end gap-3 sm:flex">
      <Field label="Area" className="sm:w-56">
        <Select value={area} onChange={(event) => choose({ area: event.currentTarget.value, device })}>
          <option value="">All Areas</option>
          {areas.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Device" className="sm:w-64">
        <Select value={device} onChange={(event) => choose({ area, device: event.currentTarget.value })}>
          <option value="">All Devices</option>
          {inArea.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Button
        icon={<FilterX className="size-4" />}
        disabled={!area && !device}
        onClick={() => choose({ area: "", device: "" })}
        className="max-sm:col-span-2"
      >
        Clear Filters
      </Button>
    </div>
  );
}
