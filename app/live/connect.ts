import { setLive, updatedAt } from "#app/router/connection";
import { onNewDay } from "./new-day";
import { concernOf } from "./concerns";
import { reloads } from "./reloads";
import { keepSocket } from "./socket";
import { isOnScreen, putStates } from "./states";

type Screen = { zone: string; pathname: () => string; isBusy: () => boolean; reload: () => void };

/** So that a city's browsers do not all load at once. */
const SPREAD_MS = 10_000;

/** Keeps the screen up to date by what the server tells. Returns a function that ends that. */
export function connect({ zone, pathname, isBusy, reload }: Screen): () => void {
  const { ask, stop } = reloads(reload, isBusy, updatedAt);
  const close = keepSocket({
    message: (message) => {
      if (message.kind === "changes") putStates(message.devices);
      const concern = concernOf(message, pathname(), isOnScreen);
      if (concern && message.kind !== "hello") ask(concern, message.spread_ms);
    },
    well: setLive,
    signedOut: () => ask("lists", 0),
  });
  const endDays = onNewDay(zone, () => ask("lists", SPREAD_MS));
  return () => {
    endDays();
    stop();
    close();
    setLive(false);
  };
}
