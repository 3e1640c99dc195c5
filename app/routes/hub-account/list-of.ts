import { isRefusal } from "#domain/errors";
import { MOST_ADDED } from "#domain/fields/limits";
import type { HubAccountDevice } from "#domain/hubs/hub-account";

/** The first that the account lists, as many as can be added at a time, and how many there are. */
export type Listed = { rows: HubAccountDevice[]; all: number };

/** What can be added and what cannot; or, as a sentence for the page, why the account did not give its list. */
export type Account = { addable: Listed; others: Listed; refusal: string | null };

/** Other failures stay failures. Only what is shown is sent: an account may list fifty thousand devices. */
export async function listOf(list: Promise<HubAccountDevice[]>): Promise<Account> {
  return list.then(
    (devices) => ({
      addable: beginningOf(devices.filter(({ refusal }) => refusal === null)),
      others: beginningOf(devices.filter(({ refusal }) => refusal !== null)),
      refusal: null,
    }),
    (caught: unknown) => {
      if (isRefusal(caught) && caught.code !== "unauthenticated") {
        return { addable: beginningOf([]), others: beginningOf([]), refusal: caught.detail };
      }
      throw caught;
    },
  );
}

/** Why there is nothing that can be added. */
export function nothingToAdd({ others }: Pick<Account, "others">): string {
  if (others.all === 0) return "This account lists no devices.";
  return "Nothing that this account lists can be added. Why is said below.";
}

function beginningOf(devices: HubAccountDevice[]): Listed {
  return { rows: devices.slice(0, MOST_ADDED), all: devices.length };
}
