import { DurableObject } from "cloudflare:workers";
import { lived, sentenceOf, type Plan } from "#tests/simulation/lives/lived";
import { storyOf } from "./objects";

/** An object that is empty but for the story that is lived in it. */
export class Scheduler extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    await storyOf(request.url)(this, this.ctx);
    return new Response();
  }
}

/** Lives what it is asked to: answers a sentence of what was lived, or the oracle's objection. */
export default {
  async fetch(request: Request): Promise<Response> {
    const life: Plan = await request.json();
    try {
      return new Response(sentenceOf(life, await lived(`life${life.seed}`, life)));
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 });
    }
  },
};
