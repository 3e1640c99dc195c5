import { Card, CardGrid } from "#app/ui/card";
import { Skeleton } from "#app/ui/skeleton";

const PLACEHOLDERS = [1, 2, 3, 4, 5, 6];

export function DashboardSkeleton() {
  return (
    <div role="status" aria-label="Loading dashboard">
      <div className="mb-4 tiny:grid-cols-1 grid grid-cols-2 gap-3 sm:mb-5 sm:gap-4 xl:grid-cols-4">
        {PLACEHOLDERS.slice(2).map((key) => (
          <Skeleton key={key} className="h-28 rounded-xl" />
        ))}
      </div>
      <div className="panels">
        <Skeleton className="h-60 rounded-xl" />
        <Skeleton className="h-60 rounded-xl max-xl:hidden" />
      </div>
      <CardGrid aria-hidden>
        {PLACEHOLDERS.map((key) => (
          <li key={key} data-placeholder>
            <Card className="flex flex-col gap-3 p-4">
              <div className="flex gap-3">
                <Skeleton className="size-10" />
                <Skeleton className="h-10 flex-1" />
              </div>
              <Skeleton className="h-6 w-2/3" />
              <Skeleton className="h-11" />
              <Skeleton className="h-6" />
            </Card>
          </li>
        ))}
      </CardGrid>
    </div>
  );
}
