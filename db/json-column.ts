import { customType } from "drizzle-orm/sqlite-core";

const HALF_CHARACTERS = /\p{Surrogate}/gu;

/**
 * A column that holds JSON. JSON can express lone surrogates, which a text column cannot hold; those of an old row are
 * read as the replacement character, so that one row cannot break a page for everybody.
 */
export function json<Value>() {
  return customType<{ data: Value; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (text) =>
      JSON.parse(text, (_key, value: unknown) =>
        typeof value === "string" ? value.replace(HALF_CHARACTERS, "\ufffd") : value,
      ),
  })();
}
