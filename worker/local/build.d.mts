/** The sources of the on-site agent's one file: it is built anew when one of them has changed. */
export const AGENT: readonly string[];
