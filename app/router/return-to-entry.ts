import { routerOf } from "#app/router/router-of";

let isUnderWay = false;

/** Whether the browser is on its way to the entry of the screen that is shown, where it will be a moment later. */
export function isReturning(): boolean {
  return isUnderWay;
}

/** How often the browser is sent back to where it was, and how long nothing happens until it is taken to have arrived. */
const RETURNS = 3;
const RETURN_MS = 300;

/**
 * Takes the browser back to the entry of the screen that is shown, where it has left that. Another press of back may come
 * first, and lead past it, and an entry that is gone is never reached. Whether it came there, and the router with it.
 */
export async function returnToEntry(): Promise<boolean> {
  if (stepsBack() === 0) return false;
  isUnderWay = true;
  for (let left = RETURNS; left > 0 && stepsBack() !== 0; left -= 1) {
    window.history.go(stepsBack());
    await halted();
  }
  isUnderWay = false;
  // Its key, too: the router numbers anew after an entry that is not its own, as of 'Skip to content'.
  const isThere = (window.history.state?.key ?? "default") === routerOf().state.location.key;
  if (isThere) await followed();
  return isThere;
}

/** Ends as the browser comes to the place of the screen that is shown, or nowhere any more. */
function halted(): Promise<void> {
  return new Promise((done) => {
    let timer = setTimeout(end, RETURN_MS);
    // After the router's own listener, which has begun to follow by then.
    window.addEventListener("popstate", follow);
    function follow() {
      clearTimeout(timer);
      if (stepsBack() === 0) end();
      else timer = setTimeout(end, RETURN_MS);
    }
    function end() {
      window.removeEventListener("popstate", follow);
      done();
    }
  });
}

/** Ends once the router has followed the browser. */
function followed(): Promise<void> {
  return new Promise((done) => {
    const end = routerOf().subscribe(endIfIdle);
    endIfIdle(routerOf().state);
    function endIfIdle({ navigation }: { navigation: { state: string } }) {
      if (navigation.state !== "idle") return;
      end();
      done();
    }
  });
}

/** How many steps the screen that is shown is from where the browser is; none where that is not known. */
function stepsBack(): number {
  const now = placeNow();
  return place === null || now === null ? 0 : place - now;
}

/** The place in the browser's history of the screen that is shown; null where the router has not numbered it. */
let place: number | null = null;

/** Notes the place of each screen as it is shown. Once, as soon as there is a router. */
export function notePlaces(): void {
  let { location } = routerOf().state;
  place = placeNow();
  routerOf().subscribe((state) => {
    if (state.location === location) return;
    location = state.location;
    place = placeNow();
  });
}

function placeNow(): number | null {
  return window.history.state?.idx ?? null;
}
