import { Form } from "@remix-run/react";
import { useOrganization } from "#app/components/organization";
import { choiceInArea } from "#domain/records/name-in-area";
import { Button } from "#app/ui/button";
import { Field, Select } from "#app/ui/field";
import type { PlacedHub } from "./account-form";

/** Whose list to read. Only where hubs are reached on their own addresses has each one of its own. */
export function AccountChoice({ hub_id, hubs }: { hub_id: string; hubs: PlacedHub[] }) {
  const { mode } = useOrganization();
  if (mode === "mock" || mode === "cloud") return null;
  return (
    <Form method="get" className="mb-4 flex flex-wrap items-end gap-2">
      <Field label="List of" className="w-72 max-w-full">
        {/* Anew where the browser's back has taken another list. */}
        <Select key={hub_id} name="hub" defaultValue={hub_id}>
          <option value="">The cloud account</option>
          {hubs.map(choiceInArea).map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit">Show</Button>
    </Form>
  );
}
