import { Plus } from "lucide-react";
import { ButtonLink } from "#app/components/button-link";
import { opens } from "#app/router/view";
import { Button } from "#app/ui/button";

type Props = { areas: { id: string }[]; noun: "Hub" | "Device" | "Schedule" };

/** What to do about an empty list: make the first record, or before it the area that it has to be in. */
export function NextStep({ areas, noun }: Props) {
  const icon = <Plus className="size-4" />;
  if (areas.length === 0) {
    return (
      <ButtonLink to="/areas?new=" look="primary" icon={icon}>
        Create an area first
      </ButtonLink>
    );
  }
  return (
    <Button look="primary" icon={icon} {...opens("new")}>
      Create {noun}
    </Button>
  );
}
