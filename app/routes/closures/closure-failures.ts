/** The forms' fallback messages, in a separate file so that the browser gets no server code with them. */
export const CLOSURE_FAILED = {
  create: "Failed to save closure",
  save: "Failed to save closure",
  reopen: "Failed to save closure",
  remove: "Failed to delete closure",
};
