import { text, version, type Handler } from "#app/forms/form-answer";
import { isRefusal, Refusal } from "#domain/errors";
import type { SignedIn } from "#worker/context";
import { calendarText } from "#domain/schedule/calendar-text";
import { datesOfLines, linesOfErrors } from "./calendar-lines";

/** The actions of the calendars' forms. */
export function calendarHandlers({ calendars }: SignedIn["services"], form: FormData): Record<string, Handler> {
  const id = text(form, "id");
  const lines = text(form, "dates");
  const calendar = () => ({ name: text(form, "name"), dates: datesOfLines(lines) });
  const byLine = (caught: unknown) => {
    if (!isRefusal(caught) || caught.code !== "invalid") throw caught;
    throw new Refusal("invalid", caught.detail, { fields: linesOfErrors(caught.fields ?? {}, lines) });
  };
  return {
    create_calendar: {
      run: () => calendars.create(calendar()).catch(byLine),
      done: "Calendar created successfully",
      over: "save_calendar",
    },
    save_calendar: {
      run: () => calendars.save(id, calendar(), version(form)).catch(byLine),
      done: "Calendar updated successfully",
    },
    remove_calendar: { run: () => calendars.remove(id), done: "Calendar deleted successfully" },
    import_calendar: {
      run: async () => calendars.importFile(id, { ics: await fileSent(form) }),
      done: "Dates imported successfully",
    },
  };
}

/** The text of the chosen file; '' without one, which the schema refuses. */
async function fileSent(form: FormData): Promise<string> {
  const file = form.get("ics");
  if (file === null || typeof file === "string") return "";
  if (file.size > MAX_BYTES) throw new Refusal("invalid", TOO_LARGE, { fields: { ics: TOO_LARGE } });
  return calendarText(await file.arrayBuffer());
}

const MAX_BYTES = 256 * 1024;
const TOO_LARGE = "A calendar file may have at most 256 KiB";
