import { DurableObject } from "cloudflare:workers";
import { lived, sentenceOf, type Plan } from "#tests/simulation/lives/lived";
import { parkLived } from "#tests/simulation/agent/lived";
import { storyOf } from "./objects";

/** An object that is empty but for the story that is lived in it. */
export class Scheduler extends DurableObject {
  override async fetch(request: Request): Promise<Response> {
    await storyOf(request.url)(this, this.ctx);
    return new Response();
  }
}

const STORIES = {
  life: async (life: Plan) => sentenceOf(life, await lived(`life${life.seed}`, life)),
  agent: parkLived,
};

/** Lives what it is asked to: answers a sentence of what was lived, or the oracle's objection. */
export default {
  async fetch(request: Request): Promise<Response> {
    const { story, ...life }: Plan & { story: keyof typeof STORIES } = await request.json();
    try {
      return new Response(await STORIES[story](life));
    } catch (error) {
      return new Response(error instanceof Error ? error.stack : String(error), { status: 500 });
    }
  },
};
