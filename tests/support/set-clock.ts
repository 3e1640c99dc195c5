import { OFFSET_MS, shiftDate } from "./clock";

// Before a test file in Node is loaded; the worker's and the pages' clocks are set where they are started.
shiftDate(OFFSET_MS);
