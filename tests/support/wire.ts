/** How D1 behaves: answers, refuses, never answers, commits and loses the answer, or answers after `ms`. */
export type WireState = { kind: "up" | "down" | "hung" | "lossy" } | { kind: "slow"; ms: number };

type Journal = { statement: D1PreparedStatement; text: string };

/**
 * The wire between the engine and the real D1. It can fail, and it counts the calls under way so that the virtual clock
 * waits for them. With `journal`, writes wait here and go to D1 in order with the next read or `drain`, since a round trip
 * costs more than the rest of a simulated hour.
 */
export class Wire {
  readonly d1: D1Database;
  state: WireState = { kind: "up" };
  underWay = 0;
  /** D1's last answer to the query for the plan's version. */
  #version: { key: string; answer: unknown } | null = null;
  #journal: Journal[] = [];
  readonly #texts = new WeakMap<object, string>();
  readonly #idle: (() => void)[] = [];
  readonly #hanging: (() => void)[] = [];

  constructor(
    readonly real: D1Database,
    readonly wait: (ms: number) => Promise<void>,
    readonly options: { journal: boolean } = { journal: false },
  ) {
    this.d1 = new Proxy(real, {
      get: (target, key) => {
        if (key === "prepare") return (text: string) => this.#watched(target.prepare(text), text, []);
        if (key === "batch") return (statements: D1PreparedStatement[]) => this.#batch(statements);
        return Reflect.get(target, key);
      },
    });
  }

  /** Resolves when no call to the real D1 is under way. */
  idle(): Promise<void> {
    return this.underWay === 0 ? Promise.resolve() : new Promise((done) => this.#idle.push(done));
  }

  /** Carries what hung after all, late. */
  letGo(): void {
    for (const carry of this.#hanging.splice(0)) carry();
  }

  /** What hangs is never carried. */
  cutOff(): void {
    this.#hanging.length = 0;
  }

  /** Forgets the cached version after a write from elsewhere. */
  changed(): void {
    this.#version = null;
  }

  /** Writes what waits here and then `statements`, in one batch; returns the last result. */
  async drain(statements: D1PreparedStatement[] = []): Promise<D1Result[]> {
    const waiting = this.#journal.splice(0).map(({ statement }) => statement);
    const all = [...waiting, ...statements];
    if (all.length === 0) return [];
    return (await this.#counted(() => this.real.batch(all))).slice(waiting.length);
  }

  #watched(statement: D1PreparedStatement, text: string, values: unknown[]): D1PreparedStatement {
    const watched: D1PreparedStatement = new Proxy(statement, {
      get: (target, key) => {
        if (key === "bind") return (...bound: unknown[]) => this.#watched(target.bind(...bound), text, bound);
        if (key !== "raw" && key !== "all" && key !== "run" && key !== "first") return Reflect.get(target, key);
        return (...options: unknown[]) =>
          this.#carry(() =>
            this.#asked(`${text} ${values.join(" ")} ${key}`, () =>
              Reflect.apply(Reflect.get(target, key), target, options),
            ),
          );
      },
    });
    this.#texts.set(watched, text);
    this.#real.set(watched, statement);
    return watched;
  }

  readonly #real = new WeakMap<object, D1PreparedStatement>();

  async #asked(key: string, ask: () => Promise<unknown>): Promise<unknown> {
    const isVersion = this.options.journal && key.startsWith('select "config_version"');
    if (isVersion && this.#version?.key === key) return this.#version.answer;
    await this.drain();
    const answer = await this.#counted(ask);
    if (isVersion) this.#version = { key, answer };
    return answer;
  }

  #batch(statements: D1PreparedStatement[]): Promise<unknown[]> {
    return this.#carry(async () => {
      const real = statements.map((statement) => ({
        statement: this.#real.get(statement) ?? statement,
        text: this.#texts.get(statement) ?? "",
      }));
      if (this.options.journal && real.every(({ text }) => /^(insert|update)/i.test(text))) {
        this.#journal.push(...real);
        return real.map(() => ({ success: true, results: [], meta: {} }));
      }
      return this.drain(real.map(({ statement }) => statement));
    });
  }

  async #carry<T>(ask: () => Promise<T>): Promise<T> {
    const { state } = this;
    if (state.kind === "slow") await this.wait(state.ms);
    if (state.kind === "hung") await new Promise<void>((carry) => this.#hanging.push(carry));
    if (this.state.kind === "down") throw new Error("D1 does not answer");
    const answer = await ask();
    if (state.kind === "lossy") throw new Error("D1's answer was lost");
    return answer;
  }

  async #counted<T>(ask: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await ask();
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) for (const done of this.#idle.splice(0)) done();
    }
  }
}
