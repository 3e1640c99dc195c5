import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** Asks on the terminal, or reads the next line of what is piped in. What is `hidden` is not shown while it is typed. */
export type Ask = (question: string, hidden?: boolean) => Promise<string>;

/** Asks until it is closed; the answer is empty where there is nobody to answer. */
export function asking(): { ask: Ask; close: () => void } {
  let isHidden = false;
  const output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!isHidden) process.stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  const answers = lines[Symbol.asyncIterator]();
  return {
    ask: async (question, hidden = false) => {
      process.stdout.write(`${question} `);
      isHidden = hidden;
      const { value, done } = await answers.next();
      isHidden = false;
      if (hidden || !process.stdin.isTTY) process.stdout.write("\n");
      return done ? "" : String(value).trim();
    },
    close: () => lines.close(),
  };
}
