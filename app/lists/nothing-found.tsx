import { SearchX } from "#app/ui/icons";
import { EmptyState } from "#app/components/empty-state";

/** For a list that is not empty, but whose search and filters match nothing. */
export const NothingFound = () => <EmptyState icon={SearchX} title="Nothing matches your search" />;
