import { Link } from "@remix-run/react";
import type { ComponentProps } from "react";
import { ChoiceSelect } from "#app/forms/choice-select";

type Props = Pick<ComponentProps<typeof ChoiceSelect>, "name" | "value" | "onChange"> & {
  /** Undefined while they load, null if loading failed. */
  areas: ComponentProps<typeof ChoiceSelect>["choices"];
};

/** The area that something has to have; where there is none yet, the way to create one. */
export function AreaSelect({ areas, ...field }: Props) {
  return <ChoiceSelect label="Area" none="Select an area" choices={areas} hint={hintFor(areas)} {...field} />;
}

function hintFor(areas: Props["areas"]) {
  if (areas?.length !== 0) return null;
  return (
    <>
      There is no area yet.{" "}
      <Link to="/areas?new=" className="text-brand-text underline">
        Create one first
      </Link>
    </>
  );
}
