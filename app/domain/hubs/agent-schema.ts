import { z } from "zod";
import { requiredText } from "#domain/fields/fields";
import { MAX_NAME } from "#domain/fields/limits";

const NAME_REQUIRED = "Agent name is required";

/** The input of an on-site agent. */
export const agentInput = z.object({ name: requiredText("Agent name", MAX_NAME, NAME_REQUIRED) }, NAME_REQUIRED);
export type AgentInput = z.infer<typeof agentInput>;
