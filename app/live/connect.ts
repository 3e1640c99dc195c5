import { setLive, updatedAt } from "#app/router/connection";
import { concernOf } from "./concerns";
import { reloads } from "./reloads";
import { keepSocket } from "./socket";
import { isOnScreen, putStates } from "./states";

type Screen = { pathname: () => string; isBusy: () => boolean; reload: () => void };

/** Keeps the screen up to date by what the server tells. Returns a function that ends that. */
export function connect({ pathname, isBusy, reload }: Screen): () => void {
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
  return () => {
    stop();
    close();
    setLive(false);
  };
}
