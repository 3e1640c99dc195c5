import { readFile } from "node:fs/promises";
import { Instrumenter } from "@stryker-mutator/instrumenter";

/** What cannot matter to what the code does, and why. */
const IGNORED = [
  { reason: "words of the API's documentation", calls: /^(describe|meta)$/ },
  { reason: "what goes to the log", calls: /^(log|warn|error)$/ },
  { reason: "words for programmers", calls: /Error$/ },
];
const QUIET = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };

/** The files with all their mutants in them, asleep, and a list of the mutants. */
export async function instrument(names) {
  const files = await Promise.all(
    names.map(async (name) => ({ name, mutate: true, content: await readFile(name, "utf8") })),
  );
  const options = { plugins: null, excludedMutations: [], ignorers: [{ shouldIgnore }] };
  const built = await new Instrumenter(QUIET).instrument(files, options);
  const text = new Map(files.map(({ name, content }) => [name, content.split("\n")]));
  const mutants = built.mutants
    .filter(({ status }) => status !== "Ignored")
    .map(({ id, fileName: file, mutatorName: mutator, replacement, location: { start, end } }) => ({
      id,
      file,
      mutator,
      line: start.line + 1,
      column: start.column + 1,
      original: cut(text.get(file), start, end),
      replacement: short(replacement),
    }));
  return { files: built.files, mutants };
}

/** Only what is handed to such a call, and not what the call is made on. */
function shouldIgnore(path) {
  if (path.isFunctionDeclaration() && path.node.id?.name === "assertNever") return "never reached";
  if (path.listKey !== "arguments") return undefined;
  const { callee } = path.parent;
  const name = callee.type === "MemberExpression" ? callee.property.name : callee.name;
  return IGNORED.find(({ calls }) => calls.test(name ?? ""))?.reason;
}

function cut(lines, start, end) {
  const within = lines.slice(start.line, end.line + 1);
  if (within.length === 1) return short(within[0].slice(start.column, end.column));
  return short([within[0].slice(start.column), ...within.slice(1, -1), within.at(-1).slice(0, end.column)].join(" "));
}

function short(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > 160 ? `${line.slice(0, 157)}...` : line;
}
