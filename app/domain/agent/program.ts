/** The on-site agent's one file, as this release serves it: where, and how a technician knows that it is the right one. */
export type AgentProgram = { version: string; sha256: string; bytes: number };

/** Where it is downloaded, without signing in: there is no secret in it. */
export const PROGRAM_PATH = "/agent/agent.mjs";
