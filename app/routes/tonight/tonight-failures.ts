import { ATTENTION_FAILED } from "#app/attention/attention-failures";

/** The forms' fallback messages, in a separate file so that the browser gets no server code with them. */
export const TONIGHT_FAILED = {
  ...ATTENTION_FAILED,
  switch: "Failed to toggle device",
  skip: "Failed to skip the night",
};
