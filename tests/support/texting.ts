import type { World } from "./engine";

/** Everybody gets what is sent to them: '12:15 13: Nobody has...' in the order of sending, with the number's last two digits. */
export function texting(world: World): string[] {
  const texts: string[] = [];
  world.context.sms = async (to, text) => {
    texts.push(`${new Date(world.now).toISOString().slice(11, 16)} ${to.slice(-2)}: ${text}`);
    return { ok: true };
  };
  return texts;
}
