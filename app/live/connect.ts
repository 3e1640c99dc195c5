import { losesChanges } from "#app/forms/unsaved";
import { setLayoutBehind, setLive, updatedAt } from "#app/router/connection";
import { dataOnScreen } from "#app/router/stay-on-screen";
import { hasTimedOut } from "#app/session/activity";
import { MINUTE_MS } from "#domain/time/units";
import { onNewDay } from "./new-day";
import { concernOf, concernsLayout } from "./concerns";
import { reloads } from "./reloads";
import { keepSocket } from "./socket";
import { isOnScreen, missStates, putStates } from "./states";

type Screen = { zone: string; pathname: () => string; isBusy: () => boolean; reload: () => void };

/** So that a city's browsers do not all load at once. */
const SPREAD_MS = 10_000;
/** What is told by its age, as when a hub was last seen, is another without any news. */
const AGED_MS = 5 * MINUTE_MS;

/** Keeps the screen up to date by what the server tells. Returns a function that ends that. */
export function connect({ zone, pathname, isBusy, reload }: Screen): () => void {
  const { ask, stop } = reloads(reload, isBusy, updatedAt);
  const close = keepSocket({
    message: (message) => {
      if (message.kind === "changes") putStates(message.devices);
      if (message.kind === "reload") missStates();
      const isOfLayout = concernsLayout(message);
      if (isOfLayout) leaveBehind();
      const concern = isOfLayout ? "lists" : concernOf(message, pathname(), isOnScreen);
      if (concern && message.kind !== "hello") ask(concern, message.spread_ms);
    },
    well: setLive,
    signedOut: () => ask("lists", 0),
  });
  const endDays = onNewDay(zone, () => ask("lists", SPREAD_MS));
  const ageing = setInterval(() => ask("lists", SPREAD_MS), AGED_MS);
  return () => {
    clearInterval(ageing);
    endDays();
    stop();
    close();
    setLive(false);
  };
}

/**
 * From now until it has been loaded again the layout is behind. With another role it takes the form away in which somebody
 * may be typing, so it waits for that.
 */
function leaveBehind(): void {
  const shown = layoutOnScreen();
  setLayoutBehind(() => layoutOnScreen() === shown && !losesChanges() && !hasTimedOut());
}

const layoutOnScreen = () => dataOnScreen("routes/layout/route");
