import { isRefusal } from "#domain/errors";
import type { HubAccountDevice } from "#domain/hubs/hub-account";

/** The list; or, as a sentence for the page, why the account did not give it. Other failures stay failures. */
export async function listOf(list: Promise<HubAccountDevice[]>) {
  return list.then(
    (devices) => ({ devices, refusal: null }),
    (caught: unknown) => {
      if (isRefusal(caught) && caught.code !== "unauthenticated") return { devices: [], refusal: caught.detail };
      throw caught;
    },
  );
}
