import { z } from "zod";
import { AppendLog } from "./append-log";

const line = z.object({ device: z.string(), order: z.number() });

/** So many lines for each device are written before the file is made short again. */
const LINES_EACH = 50;

/**
 * The number of the last switch of each device. It is on the disk before the hub is called, so that no order is carried out
 * twice or after a newer one, however the program ended in between.
 */
export class Orders {
  #lines = 0;

  private constructor(
    private readonly log: AppendLog,
    private readonly last: Map<string, number>,
  ) {}

  static async open(path: string): Promise<Orders> {
    const { log, kept } = await AppendLog.open(path);
    const last = new Map<string, number>();
    for (const value of kept) {
      const { data } = line.safeParse(value);
      if (data && data.order > (last.get(data.device) ?? -1)) last.set(data.device, data.order);
    }
    const orders = new Orders(log, last);
    await orders.#shorten().catch(() => undefined); // a longer file will do
    return orders;
  }

  /** Whether this order or a newer one was taken already. */
  isStale(device: string, order: number): boolean {
    return order <= (this.last.get(device) ?? -1);
  }

  /** Takes the order; false where the disk did not, and only this run of the program will remember it. */
  async take(device: string, order: number): Promise<boolean> {
    this.last.set(device, order);
    this.#lines += 1;
    try {
      if (this.#lines > LINES_EACH * (this.last.size + 1)) await this.#shorten();
      else await this.log.append({ device, order });
      return true;
    } catch {
      return false;
    }
  }

  close(): Promise<void> {
    return this.log.close();
  }

  async #shorten(): Promise<void> {
    this.#lines = this.last.size;
    await this.log.replace([...this.last].map(([device, order]) => ({ device, order })));
  }
}
