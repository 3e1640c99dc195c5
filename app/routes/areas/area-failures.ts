/** The forms' fallback messages, in a separate file so that the browser gets no server code with them. */
export const AREA_FAILED = {
  create: "Failed to save area",
  save: "Failed to save area",
  remove: "Failed to delete area",
  toggle: "Failed to toggle device",
  switch: "Failed to switch the lights",
  create_group: "Failed to save group",
  save_group: "Failed to save group",
  remove_group: "Failed to delete group",
};
