type Life = { story: string; seed: number; days: number; lights: number };
type Sources = { [path: string]: string };

export class Ledger {
  constructor(paths: string[], sources: Sources);
  has(life: Life): boolean;
  note(life: Life & { isWell: boolean; digest?: number; at?: string }): void;
  sum(): string;
}
