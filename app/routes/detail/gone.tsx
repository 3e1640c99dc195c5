import { SearchX } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { useOrganization } from "#app/components/organization";
import { PageHeader } from "#app/components/page-header";
import { ButtonLink } from "#app/components/button-link";

type Props = { noun: "device" | "area"; list: string; all: string };

/**
 * Replaces a record that does not exist or is hidden, without saying which. Whoever chooses a department on a light's page,
 * or follows a link to a light while one is chosen, would look for the light in vain: it is told that this may be all.
 */
export function Gone({ noun, list, all }: Props) {
  const { user } = useOrganization();
  const name = noun === "device" ? "Device" : "Area";
  const isNarrowed = noun === "device" && user.current_dept_id !== null;
  return (
    <>
      <PageHeader title={name} />
      <EmptyState
        icon={SearchX}
        title={`${name} not found`}
        text={isNarrowed ? NARROWED : `This ${noun} does not exist, or you do not have access to it.`}
      >
        <ButtonLink to={list}>{all}</ButtonLink>
      </EmptyState>
    </>
  );
}

const NARROWED = "This device does not exist, you do not have access to it, or the chosen department hides it.";
