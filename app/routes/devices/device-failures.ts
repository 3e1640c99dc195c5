/** What the forms say when nothing better is known. In a file of its own, so that the browser gets no server code with it. */
export const DEVICE_FAILED = {
  create: "Failed to save device",
  save: "Failed to save device",
  remove: "Failed to delete device",
  toggle: "Failed to toggle device",
};
