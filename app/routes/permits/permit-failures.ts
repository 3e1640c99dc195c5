/** The forms' fallback messages, in a separate file so that the browser gets no server code with them. */
export const PERMIT_FAILED = { create: "Failed to save permit", remove: "Failed to take the permit back" };
