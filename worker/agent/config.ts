import { z } from "zod";
import { agentNamedBy } from "#domain/agent/agent-secret";
import { isPrivate, parseNetwork } from "./networks";

/** Where the program is told what it may do; only root writes it. */
export const CONFIG_PATH = "/etc/lamplighter-agent.json";

const network = z.string().transform((text, context) => {
  const parsed = parseNetwork(text);
  if (parsed) return parsed;
  context.addIssue({ code: "custom", message: `'${text}' is not a network such as 192.168.1.0/24` });
  return z.NEVER;
});

const config = z
  .object({
    url: z.string().transform((text, context) => {
      const url = cityUrl(text);
      if (url) return url;
      context.addIssue({ code: "custom", message: `url must be the https address of Lamplighter, and is '${text}'` });
      return z.NEVER;
    }),
    secret: z
      .string()
      .trim()
      .refine(
        (text) => agentNamedBy(text) !== null,
        "secret must be the one that Settings showed when the agent was made; it begins with lla_",
      ),
    networks: z.array(network).min(1, "networks must name at least one, such as 192.168.1.0/24"),
    /** Credentials of hubs that are to stay in the park, by the hub's name or id. */
    hubs: z.record(z.string(), z.object({ client_id: z.string(), client_secret: z.string() })).default({}),
  })
  .superRefine(({ url, networks }, context) => {
    const loopback = isLoopback(url.hostname);
    if (networks.every((one) => isPrivate(one, { loopback }))) return;
    context.addIssue({ code: "custom", message: "networks may name private networks only (10., 172.16. or 192.168.)" });
  });
export type Config = z.infer<typeof config>;

export type Parsed<Value> = { ok: true; config: Value } | { ok: false; detail: string };

/** Reads the file's text; what is wrong with it is a sentence for the technician. */
export function parseConfig(text: string): Parsed<Config> {
  const read = fieldsIn(text);
  if (!read.ok) return read;
  const { data, error } = config.safeParse(read.config, { reportInput: true });
  if (data) return { ok: true, config: data };
  const [issue] = error.issues;
  return { ok: false, detail: issue ? sentenceOf(issue) : "it can't be read" };
}

/** What is in the file, whether or not it is right; technicians write in it by hand. */
export function fieldsIn(text: string): Parsed<Record<string, unknown>> {
  try {
    const { data } = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text));
    if (data) return { ok: true, config: data };
  } catch {
    // The parser's own words may quote the secret.
  }
  return { ok: false, detail: "it can't be read: a comma, a quote or a bracket is missing or too many" };
}

/** The words of the file for what a value should be. */
const KINDS: Record<string, string> = { string: "text in quotes", array: "a list in [ ]", object: "a group in { }" };

function sentenceOf({ code, path, message, input, ...issue }: z.core.$ZodIssue): string {
  if (code !== "invalid_type") return message;
  const name = path.join(", ");
  if (input === undefined) return `${name} is missing`;
  return `${name} must be ${"expected" in issue ? (KINDS[issue.expected] ?? issue.expected) : "another value"}`;
}

/** The id of the agent that a secret belongs to. */
export function agentIdIn(secret: string): string {
  return agentNamedBy(secret) ?? "";
}

/** Where the socket is. */
export function socketUrl(city: URL): string {
  const url = new URL("/api/agent", city);
  url.protocol = city.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}

/** Whether the city is on this very computer, as on a developer's desk; only there anything goes without TLS. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);
}

/** The address of Lamplighter, from what somebody typed; null where it is not one that may be called. */
function cityUrl(text: string): URL | null {
  const typed = text.trim();
  const whole = typed.includes("://") ? typed : `https://${typed}`;
  if (!URL.canParse(whole)) return null;
  const url = new URL(whole);
  if (url.username || url.password) return null;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname)) ? url : null;
}
