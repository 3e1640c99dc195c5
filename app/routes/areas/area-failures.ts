/** What the forms say when nothing better is known. In a file of its own, so that the browser gets no server code with it. */
export const AREA_FAILED = {
  create: "Failed to save area",
  save: "Failed to save area",
  remove: "Failed to delete area",
  toggle: "Failed to toggle device",
};
