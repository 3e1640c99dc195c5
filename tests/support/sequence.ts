import { BaseSequencer, type TestSpecification } from "vitest/node";

/** They mostly wait, for a real minute and for a server that was killed: begun last, they would keep a core idle. */
const FIRST = [/\/main-job\.test\.ts$/, /\/crash\.test\.ts$/];

/** Vitest's own order, by what each file took last time, with what waits longest before the rest. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is no array that is asked
    const sorted = await super.sort(files);
    const first = FIRST.flatMap((file) => sorted.filter(({ moduleId }) => file.test(moduleId)));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
