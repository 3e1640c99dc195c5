import { PRIORITIES, type Limit, type Priority } from "./provider";

export type Budget = {
  /** Takes one call out of the account's budget and the device's; or says which is used up, and for how long. */
  acquire: (
    account: string,
    device: string | null,
    priority: Priority,
  ) => { limit: Limit; retry_after_ms: number } | null;
  /** The far end says that a limit is reached, whatever we counted: nothing leaves for `ms`. Device null: the account. */
  backOff: (account: string, device: string | null, ms: number) => void;
};

type Rule = { window_ms: number; shares: Record<Priority, number> };

/**
 * The cloud's limits, as its users found them: 100 calls in 5 minutes for an account, 6 in a minute for a device. The windows are
 * a little longer than the vendor's, since a call arrives later than it leaves. What each priority leaves untouched is
 * there for those above it: an OFF finds room when every ON has used up its share.
 */
const ACCOUNT: Rule = { window_ms: 310_000, shares: { off: 98, on: 80, person: 74, verify: 64, poll: 40 } };
const DEVICE: Rule = { window_ms: 65_000, shares: { off: 6, on: 5, person: 5, verify: 5, poll: 3 } };

/**
 * Counts the calls of the last minutes, in the object's SQLite, so that a restart does not forget them. It is a log and
 * not a bucket that refills: the vendor's window slides, and a bucket that never oversteps it would carry half as much.
 * Who has to wait is booked into the next free place of their priority, so that four hundred do not all come back for one.
 */
export function cloudBudget(sql: SqlStorage, now: () => number): Budget {
  return {
    acquire: (account, device, priority) => {
      const who = `${device ?? "account"} ${priority}`;
      const of_device = device === null ? null : `${account} ${device}`;
      const tooMany = of_device === null ? null : waitFor(of_device, DEVICE, priority, who);
      if (tooMany !== null) return { limit: "device", retry_after_ms: tooMany };
      const later = waitFor(account, ACCOUNT, priority, who);
      if (later !== null) return { limit: "account", retry_after_ms: later };
      for (const bucket of [account, of_device]) {
        if (bucket === null) continue;
        sql.exec("INSERT INTO calls_made (bucket, at) VALUES (?, ?)", bucket, now());
        sql.exec("DELETE FROM reservations WHERE bucket = ? AND who = ?", bucket, who);
      }
      return null;
    },

    backOff: (account, device, ms) => {
      const bucket = device === null ? account : `${account} ${device}`;
      sql.exec("INSERT OR REPLACE INTO cooldowns (bucket, until) VALUES (?, ?)", bucket, now() + ms);
    },
  };

  /** Null where there is room now, otherwise how long to wait. */
  function waitFor(bucket: string, rule: Rule, priority: Priority, who: string): number | null {
    const at = now();
    sql.exec("DELETE FROM calls_made WHERE at <= ?", at - ACCOUNT.window_ms);
    sql.exec("DELETE FROM reservations WHERE at < ?", at);
    const spent = sql
      .exec<{ at: number }>(
        "SELECT at FROM calls_made WHERE bucket = ? AND at > ? ORDER BY at",
        bucket,
        at - rule.window_ms,
      )
      .toArray();
    const free = rule.shares[priority] - spent.length;
    const cooldown_ms = cooldownOf(bucket) - at;
    if (free > 0 && cooldown_ms <= 0) return null;
    const rank = PRIORITIES.indexOf(priority);
    const { ahead } = sql
      .exec<{ ahead: number }>(
        "SELECT COUNT(*) AS ahead FROM reservations WHERE bucket = ? AND rank <= ? AND who <> ?",
        bucket,
        rank,
        who,
      )
      .one();
    const wait_ms = Math.max(placeOf(ahead - free, spent, rule, at) - at, cooldown_ms) + 1;
    sql.exec(
      "INSERT OR REPLACE INTO reservations (bucket, who, rank, at) VALUES (?, ?, ?, ?)",
      bucket,
      who,
      rank,
      at + wait_ms,
    );
    return wait_ms;
  }

  function cooldownOf(bucket: string): number {
    const [row] = sql.exec<{ until: number }>("SELECT until FROM cooldowns WHERE bucket = ?", bucket).toArray();
    return row?.until ?? 0;
  }
}

/** When the n-th place from now (0 is the next) is free: as the calls of the window leave it, round after round. */
function placeOf(n: number, spent: { at: number }[], { window_ms }: Rule, now: number): number {
  if (n < 0) return now;
  const oldest = spent[n % Math.max(1, spent.length)];
  const rounds = Math.floor(n / Math.max(1, spent.length)) + 1;
  return (oldest?.at ?? now - window_ms) + rounds * window_ms;
}
