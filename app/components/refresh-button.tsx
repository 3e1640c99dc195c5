import { RotateCw } from "lucide-react";
import { Button, type ButtonSize } from "#app/ui/button";
import { reloads } from "#app/ui/plain";

type Props = { refreshing: boolean; refresh: () => void; size?: ButtonSize };

/** Takes what `useRefresh` gives. */
export function RefreshButton({ refreshing, refresh, size }: Props) {
  return (
    <Button size={size} icon={<RotateCw className="size-4" />} pending={refreshing} {...reloads(refresh)}>
      Refresh
    </Button>
  );
}
