/** The program's own version, which the city shows in Settings; the protocol has one of its own (`PROTO`). */
export const AGENT_VERSION = "1.0.0";
