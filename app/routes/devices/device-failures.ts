/** The forms' fallback messages, in a separate file so that the browser gets no server code with them. */
export const DEVICE_FAILED = {
  create: "Failed to save device",
  save: "Failed to save device",
  remove: "Failed to delete device",
  toggle: "Failed to toggle device",
  switch: "Failed to toggle device",
};
