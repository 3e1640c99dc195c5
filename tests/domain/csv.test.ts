import { expect, test } from "vitest";
import { cellText, csvLine } from "#domain/lists/csv";

test("quotes every cell, separates them by commas and ends the line as RFC 4180 says", () => {
  expect(csvLine(["Gate light", 3, null, "", 0])).toBe('"Gate light","3","","","0"\r\n');
});

test.each([
  ["a, b", '"a, b"'],
  ["a; b", '"a; b"'],
  ['the "old" gate', '"the ""old"" gate"'],
  ["two\nlines", '"two\nlines"'],
  ["two\r\nlines", '"two\r\nlines"'],
  ["Río 灯", '"Río 灯"'],
  [" padded ", '" padded "'],
])("writes %j as %j", (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});

test.each([
  ["=1+1", `"'=1+1"`],
  ['=HYPERLINK("http://evil.example","x")', `"'=HYPERLINK(""http://evil.example"",""x"")"`],
  ["+1", `"'+1"`],
  ["-2+3", `"'-2+3"`],
  ["@SUM(A1)", `"'@SUM(A1)"`],
  ["\t=1", `"'\t=1"`],
  ["\r=1", `"'\r=1"`],
  ["\n=1", `"'\n=1"`],
  ["＝1+1", `"'＝1+1"`],
  ["＋1", `"'＋1"`],
  ["－1", `"'－1"`],
  ["＠SUM(A1)", `"'＠SUM(A1)"`],
])("writes %j so that no spreadsheet runs it as a formula", (cell, written) => {
  expect(csvLine([cell])).toBe(`${written}\r\n`);
});

test("leaves numbers alone, and text with a formula sign in the middle", () => {
  expect(csvLine(["a=b", "user@parks.example", "2-3", -7])).toBe('"a=b","user@parks.example","2-3","-7"\r\n');
});

test.each(["=1", "'=1", "''+2", "-7", "'tis", "''", "plain", "@home", "＝x"])(
  "%j is read as it was written",
  (text) => {
    const written = csvLine([text]).slice(1, -3);
    expect(cellText(written)).toBe(text);
  },
);
