import { isSealingKey, open } from "#db/sealed";
import { counted } from "#domain/counted";

/** What is stored sealed: how so many of them are called, and where each is. What only lives for a day is left out. */
const STORED: { called: (many: number) => string; sealed: string }[] = [
  {
    called: (many) => `${counted(many, "key")} of the settings`,
    sealed: `SELECT json_extract(value, '$') AS sealed FROM settings WHERE value LIKE '"v1.%'`,
  },
  {
    called: (many) => `the credentials of ${counted(many, "hub")}`,
    sealed: "SELECT local_client_secret AS sealed FROM hubs WHERE local_client_secret IS NOT NULL",
  },
  {
    called: (many) => `the secret of ${counted(many, "webhook")}`,
    sealed: "SELECT secret AS sealed FROM webhooks",
  },
  {
    called: (many) => counted(many, "authenticator app"),
    sealed: "SELECT sealed_secret AS sealed FROM second_factors",
  },
];

/** What `key` does not open of what the database has, in words with what to do; null where it opens all, or is no key. */
export async function lostKeyWords(d1: D1Database, key: string): Promise<string | null> {
  if (!isSealingKey(key)) return null;
  const lost: string[] = [];
  for (const { called, sealed } of STORED) {
    const { results } = await d1.prepare(sealed).all<{ sealed: string }>();
    const opened = await Promise.all(
      results.map((row) =>
        open(row.sealed, key).then(
          () => true,
          () => false,
        ),
      ),
    );
    const many = opened.filter((isOpened) => !isOpened).length;
    if (many > 0) lost.push(called(many));
  }
  if (lost.length === 0) return null;
  return (
    `The SETTINGS_KEY in .dev.vars is not the one under which this state keeps ${lost.join(", ")}. ` +
    "They stay as they are, and cannot be used with this key. If there is a copy of the old one, stop, put it into .dev.vars and " +
    "start again. Else enter keys and credentials again, give webhooks and on-site agents a new secret, and let who has an " +
    "authenticator app in by a recovery code or `npm run admin -- --recover EMAIL`."
  );
}
