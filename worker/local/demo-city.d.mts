type Account = { email: string; tells: string; password: string };

export function demoCity(state_dir: string, demo?: "on" | "off"): Promise<Account[]>;
export function printAccounts(accounts: Account[]): void;
