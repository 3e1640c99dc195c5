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
