import { Card } from "#app/ui/card";
import { Skeleton } from "#app/ui/skeleton";

const ROWS = ["w-2/5", "w-1/3", "w-1/2", "w-1/4", "w-2/5", "w-1/3"];

/** The frame's own lines in their place. */
export function TonightSkeleton() {
  return (
    <div role="status" aria-label="Loading tonight">
      <Skeleton className="mb-3 h-6 max-w-xl" />
      <Card className="divide-line divide-y xl:mr-76">
        <div className="h-13" />
        {ROWS.map((width, n) => (
          <div key={n} className="flex h-11 items-center gap-6 px-4">
            <Skeleton className="h-4 w-32" />
            <Skeleton className={`h-2.5 ${width}`} />
          </div>
        ))}
      </Card>
    </div>
  );
}
