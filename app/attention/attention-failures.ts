/** The buttons' fallback messages, in a separate file so that the browser gets no server code with them. */
export const ATTENTION_FAILED = { toggle: "Failed to toggle device", ping: "Hub ping failed" };
