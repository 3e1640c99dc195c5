// npm run figures   how large, how nested, how commented the code is, and three numbers that must be zero: comments that
// cite papers from outside the tree, import circles (types included) and imports that point up. Exits with 1 if one is not.
import { load } from "../../worker/local/typescript.mjs";
import { commandLine } from "../support/command-line.mjs";

commandLine({});
const { code, texts } = await load("tests/figures/sources.ts");
const { sizesOf } = await load("tests/figures/sizes.ts");
const { arrows, circles, upward } = await load("tests/figures/imports.ts");
const { citations } = await load("tests/figures/citations.ts");

const sources = code();
const product = sources.filter(({ path }) => !path.startsWith("tests/"));
const rows = [["product", product], ...["app", "worker", "durable", "db", "tests"].map((root) => [root, within(root)])];

console.log("median / p95 / max      files  lines a file    lines a function  nesting  comments");
for (const [name, files] of rows) {
  const { file_lines, function_lines, nesting, comments, ...sizes } = sizesOf(files);
  console.log(
    name.padEnd(22),
    String(sizes.files).padStart(6),
    ` ${of(file_lines).padEnd(15)} ${of(function_lines).padEnd(17)} ${of(nesting).padEnd(8)} ${(comments * 100).toFixed(1)} %`,
  );
}
const { file_lines, function_lines, nesting } = sizesOf(product);
console.log(`\nlongest file ${file_lines.where}, longest function ${function_lines.where}, deepest ${nesting.where}\n`);

const all = arrows(sources);
const zeros = [
  ["citations of papers outside the tree", citations(texts())],
  ["import circles, types included", circles(all).map((ring) => ring.join(" <-> "))],
  ["imports that point up", upward(all).map(({ from, to }) => `${from} -> ${to}`)],
];
for (const [name, found] of zeros) {
  console.log(`${found.length} ${name}`);
  for (const line of found) console.log(`  ${line}`);
}
process.exitCode = zeros.some(([, found]) => found.length > 0) ? 1 : 0;

function within(root) {
  return sources.filter(({ path }) => path.startsWith(`${root}/`));
}

function of({ median, p95, max }) {
  return `${median}/${p95}/${max}`;
}
