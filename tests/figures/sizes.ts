import ts from "typescript";
import type { Source } from "./sources";

export type Spread = { median: number; p95: number; max: number; where: string };
export type Sizes = { files: number; file_lines: Spread; function_lines: Spread; nesting: Spread; comments: number };

type Measured = { value: number; where: string };

/** Lines per file and function, nesting per function, and the share of lines that are comments (0 to 1). */
export function sizesOf(sources: Source[]): Sizes {
  const parsed = sources.map(({ path, text }) => ({
    path,
    text,
    tree: ts.createSourceFile(
      path,
      text,
      ts.ScriptTarget.ES2022,
      true,
      path.endsWith("x") ? ts.ScriptKind.TSX : undefined,
    ),
  }));
  const functions = parsed.flatMap(({ path, tree }) => functionsIn(tree).map((fn) => ({ path, tree, fn })));
  const at = (path: string, tree: ts.SourceFile, node: ts.Node) =>
    `${path}:${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
  const lines = parsed.map(({ text }) => text.split("\n").filter((line) => line.trim() !== ""));
  return {
    files: sources.length,
    file_lines: spread(parsed.map(({ path, text }) => ({ value: text.split("\n").length - 1, where: path }))),
    function_lines: spread(
      functions.map(({ path, tree, fn }) => ({ value: fn.getText().split("\n").length, where: at(path, tree, fn) })),
    ),
    nesting: spread(functions.map(({ path, tree, fn }) => ({ value: depthOf(fn), where: at(path, tree, fn) }))),
    comments: lines.flat().filter(isComment).length / Math.max(1, lines.flat().length),
  };
}

function functionsIn(tree: ts.SourceFile): ts.FunctionLikeDeclaration[] {
  const found: ts.FunctionLikeDeclaration[] = [];
  const walk = (node: ts.Node) => {
    if (isFunction(node)) found.push(node);
    ts.forEachChild(node, walk);
  };
  walk(tree);
  return found;
}

/** How many blocks of control stand inside one another; an `else if` is no deeper, an inner function counts for itself. */
function depthOf(fn: ts.FunctionLikeDeclaration): number {
  const depth = (node: ts.Node): number => {
    const own = isControl(node) && !isElseIf(node) ? 1 : 0;
    let inner = 0;
    ts.forEachChild(node, (child) => {
      if (!isFunction(child)) inner = Math.max(inner, depth(child));
    });
    return own + inner;
  };
  return fn.body ? depth(fn.body) : 0;
}

function isFunction(node: ts.Node): node is ts.FunctionLikeDeclaration {
  return ts.isFunctionLike(node) && "body" in node && node.body !== undefined;
}

function isControl(node: ts.Node): boolean {
  return (
    ts.isIfStatement(node) ||
    ts.isIterationStatement(node, false) ||
    ts.isSwitchStatement(node) ||
    ts.isTryStatement(node)
  );
}

function isElseIf(node: ts.Node): boolean {
  return ts.isIfStatement(node.parent) && node.parent.elseStatement === node;
}

function isComment(line: string): boolean {
  return /^\s*(\/\/|\/\*|\*|\{\/\*)/.test(line);
}

function spread(measured: Measured[]): Spread {
  const sorted = measured.toSorted((a, b) => a.value - b.value);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? { value: 0, where: "" };
  return { median: at(0.5).value, p95: at(0.95).value, max: at(1).value, where: at(1).where };
}
