import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import type { FromAgent, ToAgent } from "#domain/agent/frames";
import { joinPart, type Parts } from "#domain/agent/plan-parts";
import type { StandingPlan } from "#domain/agent/standing-plan";
import { takePlan, type TakenPlan } from "#domain/agent/take-plan";
import { isSigned } from "#durable/agents/plan-key";
import { agentIdIn, type Config } from "./config";
import { KeptFile } from "./store/kept-file";

const signed = z.object({ rev: z.number(), body: z.string(), sig: z.string() });
const enrolled = z.object({ key: z.string(), by: z.string() });

export type PlanTaken = { plan: StandingPlan | null; answer: FromAgent };

/**
 * Keeps the plan and the key that plans are signed with. The key is the one of the first welcome after the secret was
 * entered: whoever takes the city's place later can switch no lamp by a plan of their own.
 */
export class PlanKeeper {
  #parts: Parts | null = null;
  #key: string | null = null;
  #plan: StandingPlan | null = null;
  readonly #signed: KeptFile<z.infer<typeof signed>>;
  readonly #enrolled: KeptFile<z.infer<typeof enrolled>>;
  readonly #agent: string;
  readonly #by: string;

  constructor(
    folder: string,
    { secret }: Pick<Config, "secret">,
    private readonly say: (line: string) => void,
  ) {
    this.#signed = new KeptFile(join(folder, "plan.json"), signed);
    this.#enrolled = new KeptFile(join(folder, "enrolled.json"), enrolled);
    this.#agent = agentIdIn(secret);
    this.#by = createHash("sha256").update(secret).digest("hex");
  }

  get plan(): StandingPlan | null {
    return this.#plan;
  }

  /** Reads what is kept; a plan that was changed on the disk is none. */
  async restore(): Promise<void> {
    const pinned = await this.#enrolled.read();
    if (pinned?.by !== this.#by) return;
    this.#key = pinned.key;
    const kept = await this.#signed.read();
    if (!kept) return;
    const taken = await this.#judge(kept, null);
    if (taken.ok) this.#plan = taken.plan;
    else this.say(`The plan that was kept is not used: ${taken.why}`);
  }

  /** The key that a welcome names; another one than before is refused until the agent gets a new secret. */
  async enroll(key: string): Promise<void> {
    if (this.#key === null) {
      this.#key = key;
      await this.#enrolled.save({ key, by: this.#by });
    } else if (this.#key !== key) {
      this.say("The city signs plans with another key: replace the agent's secret in Settings and install it again");
    }
  }

  /** Takes one part; null until the plan is whole. The plan is on the disk before the city is told so. */
  async take(part: ToAgent & { type: "plan" }): Promise<PlanTaken | null> {
    const { parts, whole } = joinPart(this.#parts, part);
    this.#parts = parts;
    if (!whole) return null;
    const { rev } = whole;
    const held = this.#plan?.rev ?? null;
    const taken = await this.#judge(whole, held);
    if (!taken.ok) return this.#refuse(rev, taken.why);
    try {
      await this.#signed.save(whole);
    } catch {
      return this.#refuse(rev, "The agent's disk can't be written to");
    }
    this.#plan = taken.plan;
    return { plan: taken.plan, answer: { type: "plan_ok", rev } };
  }

  async #judge({ body, sig, rev }: z.infer<typeof signed>, held: number | null): Promise<TakenPlan> {
    const isGenuine = this.#key !== null && (await isSigned(body, sig, this.#key));
    return takePlan({ body, rev, isSigned: isGenuine }, { agent: this.#agent, held });
  }

  #refuse(rev: number, why: string): PlanTaken {
    this.say(`A plan is not taken: ${why}`);
    return { plan: null, answer: { type: "plan_refused", rev, why } };
  }
}
