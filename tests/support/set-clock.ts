import { OFFSET_MS, shiftDate } from "./clock";

// Runs before each test file in Node; the worker's and the pages' clocks are set where they start.
shiftDate(OFFSET_MS);
