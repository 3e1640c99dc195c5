import { isRefusal } from "#domain/errors";

/** The record; null if it does not exist or is hidden, or where what names it can be no id. Other failures are thrown. */
export async function foundOrNull<Row>(record: Promise<Row>): Promise<Row | null> {
  return record.catch((caught: unknown) => {
    if (isRefusal(caught) && (caught.code === "not_found" || caught.code === "invalid")) return null;
    throw caught;
  });
}
