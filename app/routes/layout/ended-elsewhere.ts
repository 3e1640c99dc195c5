import { remain } from "#app/router/stay-on-screen";

let keeps: (() => boolean) | null = null;
let isWatching = false;

/**
 * Calls `keepScreen` when the screen's own request would lead to the sign-in page, for the session was ended elsewhere.
 * Where it answers true the screen stays, and a form that was sent has failed. Returns a function that ends that.
 */
export function onEndedElsewhere(keepScreen: () => boolean): () => void {
  keeps = keepScreen;
  if (!isWatching) watchAnswers();
  return () => void (keeps = null);
}

/** Once for all: another module may have put its own fetch over this one. */
function watchAnswers() {
  isWatching = true;
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const { url, method } = new Request(input, init);
    const answer = await send(input, init);
    if (!(await leadsToSignIn(url, answer)) || !keeps?.()) return answer;
    // Where it takes the notice of the end from its cookie, too, and shows it.
    const never = remain();
    if (method === "GET") return never;
    throw new TypeError("The session was ended elsewhere.");
  };
}

/** Not where somebody is on their way to another screen, or signs out. */
async function leadsToSignIn(url: string, answer: Response): Promise<boolean> {
  // Remix answers a redirect of a screen's data by this status.
  if (answer.status !== 202 || !new URL(url).pathname.endsWith(".data")) return false;
  // oxlint-disable-next-line no-underscore-dangle -- its name in Remix
  if (window.__remixRouter.state.navigation.state !== "idle") return false;
  return (await answer.clone().text()).includes('"/login');
}
