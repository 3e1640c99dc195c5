import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { makeFolder } from "./make-folder.mjs";
import { UserError } from "./user-error.mjs";

/** Makes the folder of the state if need be; a UserError says why it cannot be used. */
export async function requireStateFolder(state_dir) {
  try {
    await makeFolder(state_dir);
    await access(state_dir, constants.W_OK);
  } catch (error) {
    const told = `The state cannot be kept in ${state_dir}: ${error.message}. Choose another folder with STATE_DIR.`;
    throw new UserError(told, { cause: error });
  }
}
