import { isRefusal } from "#domain/errors";

/** The record; null where there is none, or none that the person may see. Other failures stay failures. */
export async function foundOrNull<Row>(record: Promise<Row>): Promise<Row | null> {
  return record.catch((caught: unknown) => {
    if (isRefusal(caught) && caught.code === "not_found") return null;
    throw caught;
  });
}
