import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that mostly wait, for a real minute or a killed server; started last, they would leave a core idle. */
const FIRST = [/\/main-job\.test\.ts$/, /\/crash\.test\.ts$/];

/** Vitest's order, by how long each file took last time, with the waiting files first. */
export class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- not an array
    const sorted = await super.sort(files);
    const first = FIRST.flatMap((file) => sorted.filter(({ moduleId }) => file.test(moduleId)));
    return [...first, ...sorted.filter((file) => !first.includes(file))];
  }
}
