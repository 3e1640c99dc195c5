import { Plus } from "#app/ui/icons";
import { ButtonLink } from "#app/components/button-link";
import { opens } from "#app/router/view";
import { Button } from "#app/ui/button";

type Props = { areas: { id: string }[]; noun: "Hub" | "Device" | "Schedule" };

/** The next step for an empty list: create the first record, or first the area that it needs. */
export function NextStep({ areas, noun }: Props) {
  const icon = <Plus className="size-4" />;
  if (areas.length === 0) {
    return (
      <ButtonLink to="/areas?new=" variant="primary" icon={icon}>
        Create an area first
      </ButtonLink>
    );
  }
  return (
    <Button variant="primary" icon={icon} {...opens("new")}>
      Create {noun}
    </Button>
  );
}
