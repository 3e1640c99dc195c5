import { expect, test } from "vitest";
import { asPlainLine, isPlainLine, isPlainText, isVisible } from "#domain/fields/plain-text";

test.each([
  ["NUL", "a\u0000b"],
  ["escape", "a\u001b[31mb"],
  ["delete", "a\u007fb"],
  ["a C1 control", "a\u0085b"],
  ["a direction override", "a\u202eb"],
  ["a direction isolate", "a\u2066b"],
  ["half an emoji", "a\ud83d"],
  ["the other half first", "\udca1\ud83d"],
])("rejects %s", (_, text) => {
  expect(isPlainText(text)).toBe(false);
  expect(isPlainLine(text)).toBe(false);
});

test.each(["a\nb", "a\tb", "a\r\nb", "a\u2028b"])("%j is plain text, but not on one line", (text) => {
  expect(isPlainText(text)).toBe(true);
  expect(isPlainLine(text)).toBe(false);
});

test.each(["Río 灯 💡", "العربية", "\u200fעברית\u200e", "👩\u200d🌾", "e\u0301", "a\u00adb", "n\u200b"])(
  "%j is plain, on one line, and can be seen",
  (text) => {
    expect([isPlainText(text), isPlainLine(text), isVisible(text)]).toEqual([true, true, true]);
  },
);

test.each(["", " ", "\u200b\u200b", "\u3164", "\u2800", "\u00ad", "\u2060\ufeff", "\u00a0"])(
  "nothing is seen of %j",
  (text) => {
    expect(isVisible(text)).toBe(false);
  },
);

test.each(["👩\u200d🌾 Farm", "می\u200cخواهم", "\u200fעברית\u200e", "a\u00adb"])(
  "%j stays as it is, whose parts belong together",
  (text) => {
    expect(asPlainLine(text, " ")).toBe(text);
  },
);

test("what cannot be stored or shown is replaced, one by one, and the line is plain then", () => {
  const text = asPlainLine("a\u0000b\u0085c\u202ed\u2066e\ud83df\ng\th\u2028i\r\n\u2029", " ");
  expect(text).toBe("a b c d e f g h i   ");
  expect(isPlainLine(text)).toBe(true);
});
