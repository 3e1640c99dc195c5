import { isObject } from "#domain/fields/json";

type ApiResult = { status: number; reason: string | null };

/** A call, and what is said where it fails without a message of the server. */
export type ApiCall = { method: "POST" | "PUT"; path: string; body: object; fallback: string };

/**
 * Calls /api with a token from local storage. `reason` is null on success; otherwise it is the server's message, or the
 * fallback if there is none.
 */
export async function askApi(token: string | null, { method, path, body, fallback }: ApiCall): Promise<ApiResult> {
  try {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const answer = await fetch(`/api${path}`, { method, headers, body: JSON.stringify(body) });
    const json: unknown = await answer.json();
    const isDone = answer.ok && !(isObject(json) && json.success === false);
    return { status: answer.status, reason: isDone ? null : (detailOf(json) ?? fallback) };
  } catch {
    return { status: 0, reason: fallback };
  }
}

function detailOf(json: unknown): string | null {
  return isObject(json) && typeof json.detail === "string" ? json.detail : null;
}
