import { DurableObject } from "cloudflare:workers";
import { after } from "./providers/after";
import { httpPost, type Post } from "./providers/http-post";

/**
 * Opens connections for an organization's object, which may have six: each runner is an invocation of its own, with six of
 * its own. It knows nothing and keeps nothing.
 */
export class Runner extends DurableObject<Env> {
  readonly #post = httpPost((url, init) => fetch(url, init), after);

  /** Posts once, see httpPost. */
  async post(...exchange: Parameters<Post>): ReturnType<Post> {
    return this.#post(...exchange);
  }
}
