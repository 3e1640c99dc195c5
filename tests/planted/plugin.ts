import { resolve } from "node:path";
import type { Plugin } from "vite";
import { FAULTS } from "./faults";

/** Plants the fault that PLANT names, while the tests are compiled; without PLANT it does nothing. */
export function planted(): Plugin {
  const { PLANT } = process.env;
  const fault = FAULTS.find(({ name }) => name === PLANT);
  if (PLANT && !fault) throw new Error(`There is no fault named '${PLANT}'.`);
  return {
    name: "planted-fault",
    enforce: "pre",
    transform: (code, id) =>
      fault && id.split("?")[0] === resolve(fault.file) ? code.replace(fault.find, () => fault.replace) : null,
  };
}
