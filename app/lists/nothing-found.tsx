import { SearchX } from "lucide-react";
import { EmptyState } from "#app/components/empty-state";

/** There are some, but the search leaves none. */
export const NothingFound = () => <EmptyState icon={SearchX} title="Nothing matches your search" />;
