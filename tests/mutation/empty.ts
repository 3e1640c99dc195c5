import { env } from "cloudflare:workers";

/** Takes every row out of D1, once what is still under way there has come to rest. */
export async function empty(): Promise<void> {
  await new Promise((soon) => setTimeout(soon, 5));
  const { results } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%d1_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
  ).all<{ name: string }>();
  await env.DB.batch([
    env.DB.prepare("PRAGMA defer_foreign_keys = on"),
    ...results.map(({ name }) => env.DB.prepare(`DELETE FROM "${name}"`)),
    env.DB.prepare("DELETE FROM changes"),
  ]);
}
