import { text } from "#app/forms/form-answer";
import { logFailure } from "#app/router/log-failure";
import { isRefusal } from "#domain/errors";
import type { Services } from "#worker/context";
import { scheduleSent } from "./schedule-sent";
import type { PreviewAnswer } from "./use-preview";

/** What a form that is sent at `now` (epoch ms) would come to; what is still wrong with it is a sentence, not a failure. */
export async function previewSent(
  schedules: Pick<Services["schedules"], "preview">,
  form: FormData,
  now: number,
): Promise<PreviewAnswer> {
  const id = text(form, "id");
  // A title is not needed to say when lights are on.
  const title = text(form, "title").trim() || "New schedule";
  try {
    const input = { ...scheduleSent(form, now), title };
    return { preview: await schedules.preview(input, id === "" ? {} : { id }), problem: null };
  } catch (caught) {
    if (isRefusal(caught) && caught.code !== "unavailable") return { preview: null, problem: caught.detail };
    logFailure(caught);
    return { preview: null, problem: null };
  }
}
