import { RotateCw } from "#app/ui/icons";
import { useRefresh } from "#app/router/freshness";
import type { Deferred } from "#app/router/deferred";
import { Button, type ButtonSize } from "#app/ui/button";
import { reloads } from "#app/ui/no-script";

type Props = { list: Promise<Deferred<unknown>>; words: { done?: string; failed: string }; size?: ButtonSize };

/** Reloads the screen's list. Keeps its own busy state, so that the list does not render again. */
export function RefreshButton({ list, words, size }: Props) {
  const { refreshing, refresh } = useRefresh(list, words);
  return (
    <Button size={size} icon={<RotateCw className="size-4" />} pending={refreshing} {...reloads(refresh)}>
      Refresh
    </Button>
  );
}
