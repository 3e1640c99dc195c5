import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "./user-error.mjs";
import { LOOPBACK_HOSTS } from "./loopback.mjs";

/** A line that is cut is tried again; what the server refused is not. */
const TRIES = 4;
const ANSWERS_WITHIN_MS = 120_000;

/**
 * Calls of the operator's door of a deployment, or of `npm start`. The token comes from the environment, since a command
 * line is seen by everybody on the machine. Answers `call(method, path, body)`, which throws a UserError with what the
 * server said.
 */
export function operatorDoor(url, token = (process.env.OPERATOR_TOKEN ?? "").trim()) {
  const base = addressOf(url);
  if (token === "") throw new UserError("Set OPERATOR_TOKEN in the environment, to the secret that the server has.");
  // Of a header that it refuses `fetch` prints all, the token with it.
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new UserError(
      "OPERATOR_TOKEN has something in it that no token has: a space, a line break or a curly quotation mark.",
    );
  return async function call(method, path, body) {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask(new URL(`/api/operator${path}`, base), token, method, body);
      } catch (error) {
        // Asked again, a step that changes something would be another one.
        if (error instanceof UserError || method === "POST" || tries === TRIES) throw error;
        await sleep(500 * 2 ** tries);
      }
    }
  };
}

function addressOf(url) {
  let base;
  try {
    base = new URL(url);
  } catch {
    throw new UserError(`${url} is no address. Give one such as https://lights.city.example.`);
  }
  if (base.username || base.password) throw new UserError("Give the address without a name and a password in it.");
  const isSafe = base.protocol === "https:" || (base.protocol === "http:" && LOOPBACK_HOSTS.includes(base.hostname));
  if (!isSafe) throw new UserError(`${url}: the token is sent over https only, or to this machine.`);
  return base;
}

async function ask(url, token, method, body) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const request = { method, headers, redirect: "manual", signal, ...(body !== undefined && { body }) };
  const response = await fetch(url, request);
  const text = await response.text();
  if (response.ok) return answerIn(text, url);
  if (response.status >= 300 && response.status < 400)
    throw new UserError(`${url.origin} answers with a redirect. Give the address that it leads to.`);
  if (response.status === 404 && detailOf(text) === "Not found")
    throw new UserError(`${url.origin} has no operator's door: set its secret OPERATOR_TOKEN.`);
  const said = detailOf(text) ?? `it answered ${response.status}`;
  const error = new UserError(`${url.origin}: ${said}`);
  if (response.status < 500) throw error;
  throw Object.assign(new Error(error.message), { isServers: true });
}

/** A network that wants a sign-in first answers everything with its page, and with 200. */
function answerIn(text, { origin }) {
  try {
    return JSON.parse(text);
  } catch {
    throw new UserError(
      `${origin} answers with something else than Lamplighter: is this its address, and no page before it?`,
    );
  }
}

function detailOf(text) {
  try {
    return JSON.parse(text).detail;
  } catch {
    return undefined;
  }
}

/** What went wrong, for whoever ran the command: a sentence, and a stack only where the fault is ours. */
export function told(error) {
  if (error instanceof UserError || error?.isServers) return error.message;
  const cause = error?.cause?.code ?? error?.cause?.message;
  if (error?.name === "TimeoutError" || (error instanceof TypeError && cause))
    return `The server can't be reached: ${cause ?? error.message}`;
  // A full disk, a folder of somebody else's.
  if (typeof error?.syscall === "string") return `This machine refused: ${error.message}`;
  return error;
}
