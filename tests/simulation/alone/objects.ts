// What lives use of cloudflare:test, where no test runner is.
export { env } from "cloudflare:workers";

type Story = (instance: unknown, state: DurableObjectState) => Promise<void>;

const stories = new Map<string, { story: Story; error: unknown }>();

/** Runs a story inside an object of this very isolate; throws what it throws. */
export async function runInDurableObject(stub: DurableObjectStub, story: Story): Promise<void> {
  const url = `https://object/${crypto.randomUUID()}`;
  const told = { story, error: null };
  stories.set(url, told);
  await stub.fetch(url);
  stories.delete(url);
  if (told.error !== null) throw told.error;
}

/** The story that was brought to this address; what it throws stays on this side. */
export function storyOf(url: string): Story {
  return async (instance, state) => {
    const told = stories.get(url);
    try {
      await told?.story(instance, state);
    } catch (error) {
      if (told) told.error = error;
    }
  };
}
