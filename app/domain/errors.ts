/** Every kind of refusal there is. */
const ERROR_CODES = [
  "invalid",
  "unauthenticated",
  "forbidden",
  "not_found",
  "conflict",
  "too_many",
  "unavailable",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** The HTTP status of each, for the API and the pages. */
export const HTTP_STATUS = {
  invalid: 422,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_many: 429,
  unavailable: 503,
} as const satisfies Record<ErrorCode, number>;

export type FieldErrors = Record<string, string>;

/** A record that was written, and its version after that, if it is known. */
export type Written = { id: string; version: number | undefined };

/**
 * A refusal with a message for people. Compare `code`, never the class: the app and the worker are two bundles, and
 * `instanceof` fails across them.
 */
export class Refusal extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  readonly fields: FieldErrors | undefined;
  readonly retry_after_sec: number | undefined;
  /** What the request before, with the same idempotency key and other content, has written. */
  readonly written: Written | undefined;

  constructor(
    code: ErrorCode,
    detail: string,
    more: { fields?: FieldErrors; retry_after_sec?: number; written?: Written } = {},
  ) {
    super(detail);
    this.name = "Refusal";
    this.code = code;
    this.detail = detail;
    this.fields = more.fields;
    this.retry_after_sec = more.retry_after_sec;
    this.written = more.written;
  }
}

/** Whether a caught value is a refusal, from either bundle. */
export function isRefusal(caught: unknown): caught is Refusal {
  return caught instanceof Error && caught.name === "Refusal" && "code" in caught && "detail" in caught;
}

/**
 * What D1 says of itself when it is not to be had, behind 'D1_ERROR: '. What it says of a statement, or of what that takes
 * (its CPU time, its memory), is a fault of ours, and must not look like an outage.
 */
const AWAY = new RegExp(
  `^(D1_ERROR: )?(${[
    "Network connection lost",
    "D1 DB is overloaded",
    "D1 DB storage operation exceeded timeout",
    "D1 DB reset because its code was updated",
    "Internal error",
    "Cannot resolve D1 DB due to transient issue",
    "database is locked",
  ].join("|")})`,
  "i",
);

/** Whether the database did not answer. By the whole message of one error: Drizzle's own holds what was bound to a query. */
function isAway(caught: unknown): boolean {
  return caught instanceof Error && (AWAY.test(caught.message) || isAway(caught.cause));
}

/** What a failure is answered as: the refusal that it is, or `unavailable` where D1 was away; null for a fault of ours. */
export function refusalOf(caught: unknown): Refusal | null {
  if (isRefusal(caught)) return caught;
  return isAway(caught) ? new Refusal("unavailable", NO_DATABASE, { retry_after_sec: DATABASE_WAIT_SEC }) : null;
}

// It does not say that nothing was saved: what was lost may have been the answer.
const NO_DATABASE = "The database did not answer. Please try again in a moment.";
export const DATABASE_WAIT_SEC = 5;

/** The loggable part of a caught value: Drizzle's messages contain bound values, which may be secrets. */
export function causeOf(caught: unknown): { error: string; stack?: string | undefined } {
  if (!(caught instanceof Error)) return { error: String(caught) };
  const [message] = caught.message.split("\nparams:");
  const cause = caught.cause instanceof Error ? `: ${caught.cause.message}` : "";
  return {
    error: `${caught.name}: ${message}${cause}`,
    stack: caught.stack?.split("\n    at ").slice(1, 8).join(" < "),
  };
}
