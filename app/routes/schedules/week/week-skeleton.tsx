import { Card } from "#app/ui/card";
import { Skeleton } from "#app/ui/skeleton";

const NIGHTS = ["ml-[20%] w-1/3", "ml-[24%] w-1/4", "ml-[20%] w-1/3", "ml-[24%] w-1/4", "ml-[20%] w-2/5", "w-0", "w-0"];

/** The frame's own lines in their place. */
export function WeekSkeleton() {
  return (
    <div role="status" aria-label="Loading the week">
      <Skeleton className="mb-3 h-9 max-w-md" />
      <Skeleton className="mb-3 h-6 max-w-sm" />
      <Card className="divide-line divide-y">
        <div className="h-9" />
        {NIGHTS.map((place, n) => (
          <div key={n} className="flex h-13 items-center gap-6 px-4">
            <Skeleton className="h-4 w-24" />
            <div className="grow">
              <Skeleton className={`h-6 ${place}`} />
            </div>
          </div>
        ))}
      </Card>
    </div>
  );
}
