import { Form } from "@remix-run/react";
import { FilterX } from "#app/ui/icons";
import { KeptFields } from "#app/lists/kept-fields";
import { useListFilters } from "#app/lists/use-list-filters";
import { Button } from "#app/ui/button";
import { Field, Select } from "#app/ui/field";
import type { Places } from "./filter";

/** The area and device filters. They live in the query string, so that a filtered view can be linked. */
export function Filters({ areas, devices, isNarrowed }: Places) {
  const { asked, form, onChange, onSubmit } = useListFilters({ amend: dropStranger });
  const area = asked.get("area") ?? "";
  const device = asked.get("device") ?? "";
  const inArea = devices.filter(({ area_id }) => !area || area_id === area);

  /** Drops a device that is not in the chosen area. */
  function dropStranger(wanted: URLSearchParams) {
    const [place, light] = [wanted.get("area"), wanted.get("device")];
    if (place && !devices.some(({ id, area_id }) => id === light && area_id === place)) wanted.delete("device");
  }

  return (
    <>
      <Form
        ref={form}
        aria-label="Where"
        className="mb-4 grid grid-cols-[1fr_1fr_auto] items-end gap-2 noscript:grid-cols-[1fr_1fr_auto_auto] sm:flex sm:gap-3"
        onChange={onChange}
        onSubmit={onSubmit}
      >
        <KeptFields asked={asked} own={["area", "device"]} />
        <Field label="Area" className="sm:w-56">
          <Select name="area" value={area} onChange={() => undefined}>
            <option value="">All Areas</option>
            <Unlisted value={area} among={areas} name="Unknown Area" />
            {areas.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Device" className="sm:w-64">
          <Select name="device" value={device} onChange={() => undefined}>
            <option value="">All Devices</option>
            <Unlisted value={device} among={inArea} name="Unknown Device" />
            {isNarrowed && inArea.length === 0 && <option disabled>Choose an area for its devices</option>}
            {inArea.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <noscript>
          <Button type="submit">Apply</Button>
        </noscript>
        <Button
          icon={<FilterX className="size-4" />}
          type="submit"
          form="clear"
          why={[...asked].length === 0 ? "No filter is set" : null}
        >
          <span className="max-sm:sr-only">Clear Filters</span>
        </Button>
      </Form>
      <Form id="clear" action="/history" preventScrollReset hidden />
    </>
  );
}

/** What the list is narrowed to and nobody can choose any more, as a light that is gone. Without it the select would say 'all'. */
function Unlisted({ value, among, name }: { value: string; among: { id: string }[]; name: string }) {
  return value !== "" && !among.some(({ id }) => id === value) && <option value={value}>{name}</option>;
}
