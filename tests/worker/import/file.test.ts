import { describe, expect, test } from "vitest";
import { MAX_IMPORT_ROWS } from "#domain/fields/limits";
import { fileText } from "#worker/import/file-text";
import { readTable } from "#worker/import/table";

const bytes = (...values: number[]) => new Uint8Array(values);
const utf8 = (text: string) => new TextEncoder().encode(text);
const sentenceOf = (text: string) => {
  const table = readTable(text);
  return table.ok ? null : table.sentence;
};
const cellsOf = (text: string) => {
  const table = readTable(text);
  return table.ok ? table.rows.map(({ row, cells }) => ({ row, ...cells })) : table.sentence;
};

describe("a file that is no CSV in UTF-8 is told in a sentence", () => {
  test.each([
    ["a workbook", bytes(0x50, 0x4b, 3, 4, 20, 0), /workbook.*Save it as 'CSV UTF-8'/],
    ["an old workbook", bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1), /old workbook.*CSV UTF-8/],
    ["a PDF", utf8("%PDF-1.7"), /PDF/],
    ["UTF-16 with its mark", bytes(0xff, 0xfe, 0x4b, 0), /UTF-16.*CSV UTF-8/],
    ["UTF-16 the other way round", bytes(0xfe, 0xff, 0, 0x4b), /UTF-16/],
    ["UTF-16 without a mark", bytes(0x4b, 0, 0x69, 0), /UTF-16/],
    ["an older encoding", bytes(0x52, 0xed, 0x6f), /not in UTF-8.*CSV UTF-8/],
  ])("%s", (_name, file, sentence) => {
    const read = fileText("lights.csv", file);
    expect(read.ok ? "" : read.sentence).toMatch(sentence);
  });

  test("another extension, and no file at all", () => {
    const sentence = (name: string, text: string) => {
      const read = fileText(name, utf8(text));
      return read.ok ? "" : read.sentence;
    };
    expect(sentence("lights.ods", "Kind,Name")).toMatch(/"lights.ods" is not a CSV file by its name/);
    expect(["lights.CSV", "lights.txt", "lights"].map((name) => sentence(name, "Kind,Name"))).toEqual(["", "", ""]);
    expect(sentence("", "")).toBe("Choose a CSV file");
    expect(sentence("lights.csv", "")).toBe("The file is empty.");
  });

  test.each([
    ["", /empty/],
    ["\uFEFF \r\n", /empty/],
    ["<!doctype html><title>Lights</title>", /web page/],
    ['{"devices":[]}', /JSON/],
    ["just some words", /first row must name the columns/],
    ["Name,Area\nLight,Park", /Kind and Name/],
    ["Kind,Name", /header and no rows/],
    ["Kind,Name\n\n,\n", /header and no rows/],
    ["Kind,Naem\narea,Elm", /column "Naem" is not known. The columns are: Kind, Name, Area/],
    ["Kind,Name,Name\narea,Elm,Elm", /"Name" stands there twice/],
    ['Kind,Name\narea,"Elm', /never closed/],
    ['Kind,Name\narea,Elm\narea,"Elm" Park"\n', /quotation marks in line 3/],
  ])("%j", (text, sentence) => {
    expect(sentenceOf(text)).toMatch(sentence);
  });
});

describe("whatever a spreadsheet writes is read", () => {
  const expected = [
    { row: 2, kind: "area", name: "Río Park" },
    { row: 3, kind: "area", name: "Elm, the old one" },
  ];
  test.each([
    ["commas and line feeds", 'Kind,Name\narea,Río Park\narea,"Elm, the old one"\n'],
    ["semicolons, CRLF and a byte order mark", "\uFEFFKind;Name\r\narea;Río Park\r\narea;Elm, the old one\r\n"],
    ["tabs", "Kind\tName\narea\tRío Park\narea\tElm, the old one"],
    ["every cell quoted, with blanks around", '"Kind" , "Name"\n"area" , "Río Park"\n"area" , "Elm, the old one"'],
    ["another case, order and spacing of the header", 'NAME, kind\nRío Park,area\n"Elm, the old one",area'],
  ])("%s", (_name, text) => {
    expect(cellsOf(text)).toEqual(expected);
  });

  test("rows have the numbers that a spreadsheet shows, blank ones and lines within a cell included", () => {
    expect(cellsOf('Kind,Name,Notes\nhub,A,"two\nlines"\n\nhub,B,\n')).toEqual([
      { row: 2, kind: "hub", name: "A", notes: "two\nlines" },
      { row: 4, kind: "hub", name: "B", notes: "" },
    ]);
  });

  test("the apostrophe that an export puts before a formula is taken away, and no other", () => {
    expect(cellsOf("Kind,Name\narea,'=1+1\narea,''=1+1\narea,'tis")).toMatchObject([
      { name: "=1+1" },
      { name: "'=1+1" },
      { name: "'tis" },
    ]);
  });

  test("a short row lacks what it does not have", () => {
    expect(cellsOf("Kind,Name,Notes\nhub,A")).toEqual([{ row: 2, kind: "hub", name: "A", notes: "" }]);
  });
});

test("a file has ten thousand rows of a kind and no more, and not too many blank lines", () => {
  const rows = (n: number) => `Kind,Name\n${"area,Elm\n".repeat(n)}`;
  expect(cellsOf(rows(MAX_IMPORT_ROWS))).toHaveLength(MAX_IMPORT_ROWS);
  expect(sentenceOf(rows(MAX_IMPORT_ROWS + 1))).toMatch(/more than 10,000 rows/);
  const both = `${rows(MAX_IMPORT_ROWS)}${"hub,Elm\n".repeat(MAX_IMPORT_ROWS)}`;
  expect(cellsOf(both)).toHaveLength(2 * MAX_IMPORT_ROWS);
  expect(cellsOf(`Kind,Name\narea,Elm\n${"\n".repeat(20_001)}`)).toHaveLength(1);
  expect(sentenceOf(`Kind,Name\narea,Elm\n${"\n".repeat(1_000_000)}`)).toMatch(
    /too many lines. Take out the empty ones/,
  );
});
