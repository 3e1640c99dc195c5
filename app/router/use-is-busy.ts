import { useFetchers, useNavigation, useRevalidator } from "@remix-run/react";

/**
 * Whether the router is loading or sending. A reload that begins meanwhile takes the place of the one that follows a form,
 * and knows nothing of the form: what only forms reload, as the departments in the header, would stay as it was.
 */
export function useIsBusy(): boolean {
  const { state } = useRevalidator();
  const navigation = useNavigation();
  const fetchers = useFetchers();
  return state !== "idle" || navigation.state !== "idle" || fetchers.some((fetcher) => fetcher.state !== "idle");
}
