import { SearchX } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";
import { PageHeader } from "#app/components/page-header";
import { ButtonLink } from "#app/components/button-link";

type Props = { noun: "device" | "area"; list: string; all: string };

/** Replaces a record that does not exist or is hidden, without saying which. */
export function Gone({ noun, list, all }: Props) {
  const name = noun === "device" ? "Device" : "Area";
  return (
    <>
      <PageHeader title={name} />
      <EmptyState
        icon={SearchX}
        title={`${name} not found`}
        text={`This ${noun} does not exist, or you do not have access to it.`}
      >
        <ButtonLink to={list}>{all}</ButtonLink>
      </EmptyState>
    </>
  );
}
