import { utf8Text } from "#domain/fields/utf8";
import { quoted } from "./quoted";

const AS_CSV = "Save it as 'CSV UTF-8' and choose that file.";

/** What files of another kind begin with. */
const KINDS: { begins: number[]; sentence: string }[] = [
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    sentence: `This is a workbook (such as .xlsx) or a zip file, not a CSV file. ${AS_CSV}`,
  },
  { begins: [0xd0, 0xcf, 0x11, 0xe0], sentence: `This is an old workbook (such as .xls), not a CSV file. ${AS_CSV}` },
  { begins: [0x25, 0x50, 0x44, 0x46], sentence: "This is a PDF, not a CSV file." },
  { begins: [0xff, 0xfe], sentence: `This text is in UTF-16. ${AS_CSV}` },
  { begins: [0xfe, 0xff], sentence: `This text is in UTF-16. ${AS_CSV}` },
];

export type FileText = { ok: true; text: string } | { ok: false; sentence: string };

const EXTENSIONS = /\.(csv|txt)$/i;

/** The text of a file that somebody chose; or, in a sentence, what it is instead of a CSV file in UTF-8. */
export function fileText(name: string, bytes: Uint8Array): FileText {
  if (bytes.length === 0) return { ok: false, sentence: name === "" ? "Choose a CSV file" : "The file is empty." };
  const known = KINDS.find(({ begins }) => begins.every((byte, i) => bytes[i] === byte));
  if (known) return { ok: false, sentence: known.sentence };
  if (name.includes(".") && !EXTENSIONS.test(name))
    return { ok: false, sentence: `${quoted(name)} is not a CSV file by its name. ${AS_CSV}` };
  if (bytes.includes(0)) return { ok: false, sentence: `This is no text, or a text in UTF-16. ${AS_CSV}` };
  const text = utf8Text(bytes);
  if (text !== null) return { ok: true, text };
  return { ok: false, sentence: `This text is not in UTF-8, so letters such as 'é' would be garbled. ${AS_CSV}` };
}
