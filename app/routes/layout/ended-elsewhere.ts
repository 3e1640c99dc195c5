import { routerOf } from "#app/router/router-of";
import { remain } from "#app/router/stay-on-screen";
import { LOGIN_HEADER, personOf } from "#app/session/login-header";

type Watch = {
  /** The login under whose name the page stands, as `loginOf` tells it. */
  login: string;
  /** Called when the session was ended; where it answers true the screen stays, and a form that was sent has failed. */
  keepScreen: () => boolean;
  /** Called when the screen's data are those of another login, which never reach the screen. */
  leave: (isSamePerson: boolean) => void;
};

let watch: Watch | null = null;
let isWatching = false;

/**
 * Watches what the screen's own requests are answered once another tab has ended or changed the login in their cookie. The
 * other tab tells of that itself, but not before its next page has loaded, and never if it is closed before. Returns a
 * function that ends that.
 */
export function onEndedElsewhere(begun: Watch): () => void {
  watch = begun;
  if (!isWatching) watchAnswers();
  return () => void (watch = null);
}

/** Once for all: another module may have put its own fetch over this one. */
function watchAnswers() {
  isWatching = true;
  const send = window.fetch.bind(window);
  window.fetch = async (input, init) => {
    const { url, method } = new Request(input, init);
    const answer = await send(input, init);
    const login = method === "GET" ? answer.headers.get(LOGIN_HEADER) : null;
    if (login !== null && watch && login !== watch.login) {
      watch.leave(personOf(login) === personOf(watch.login));
      return new Promise(() => undefined);
    }
    if (!(await leadsToSignIn(url, answer)) || !watch?.keepScreen()) return answer;
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
  if (routerOf().state.navigation.state !== "idle") return false;
  return (await answer.clone().text()).includes('"/login');
}
