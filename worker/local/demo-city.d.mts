type Account = { email: string; tells: string; password: string };

export function demoCity(d1: D1Database, demo?: "on" | "off"): Promise<Account[]>;
export function printAccounts(accounts: Account[]): void;
