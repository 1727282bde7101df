/** Finds the regular expressions in source files: literals, `new RegExp` and the `pattern` of schemas. */
import ts from 'typescript';

export type Pattern = {
  file: string;
  line: number;
  /** Null if it can only be known at run time. */
  source: string | null;
  flags: string;
  text: string;
  /** The maximum length of its input, from a comment "At most 100 characters: …". */
  maxLength: number | null;
};

const LIMIT = /At most ([\d,]+) characters: \S/;

type Constants = Map<string, string>;

export function findPatterns(files: readonly { file: string; text: string }[]): Pattern[] {
  const parsed = files.map(({ file, text }) =>
    ts.createSourceFile(
      file,
      text,
      ts.ScriptTarget.Latest,
      true,
      file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
    ),
  );
  const constants = new Map(parsed.map((source) => [source.fileName, constantsOf(source)]));
  const exported = new Map([...constants.values()].flatMap((each) => [...each]));
  return parsed.flatMap((source) => patternsIn(source, constants.get(source.fileName)!, exported));
}

function patternsIn(file: ts.SourceFile, own: Constants, exported: Constants): Pattern[] {
  const found: Pattern[] = [];
  const lines = file.text.split('\n');
  const add = (node: ts.Node, source: string | null, flags: string) => {
    const line = file.getLineAndCharacterOfPosition(node.getStart()).line;
    found.push({
      file: file.fileName,
      line: line + 1,
      source,
      flags,
      text: node.getText(),
      maxLength: limitAt(lines, line),
    });
  };
  const lookUp = (node: ts.Expression) => evaluate(node, (name) => own.get(name) ?? exported.get(name) ?? null);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) add(node, ...partsOf(node.text));
    else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      add(node, source ? lookUp(source) : '', flags ? (lookUp(flags) ?? '') : '');
    } else if (ts.isPropertyAssignment(node) && node.name.getText() === 'pattern') {
      const isText = ts.isStringLiteralLike(node.initializer) || ts.isIdentifier(node.initializer);
      const source = isText ? lookUp(node.initializer) : null;
      if (source !== null) add(node, source, 'u');
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function partsOf(literal: string): [string, string] {
  const end = literal.lastIndexOf('/');
  return [literal.slice(1, end), literal.slice(end + 1)];
}

/** The comment is on the same line or directly above. */
function limitAt(lines: readonly string[], line: number): number | null {
  const above: string[] = [];
  for (let i = line - 1; /^\s*(?:\/\/|\/?\*)/.test(lines[i] ?? ''); i--) above.unshift(lines[i]!);
  const [, limit] = LIMIT.exec([...above, lines[line]].join('\n')) ?? [];
  return limit ? Number(limit.replaceAll(',', '')) : null;
}

/** The strings and patterns that constants of a file have. */
function constantsOf(file: ts.SourceFile): Constants {
  const constants: Constants = new Map();
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      const { initializer, name } = node;
      const value = ts.isRegularExpressionLiteral(initializer)
        ? partsOf(initializer.text)[0]
        : evaluate(initializer, (each) => constants.get(each) ?? null);
      if (value !== null)
        constants.set(ts.isRegularExpressionLiteral(initializer) ? `${name.text}.source` : name.text, value);
    }
    if (ts.isSourceFile(node) || ts.isVariableStatement(node) || ts.isVariableDeclarationList(node))
      ts.forEachChild(node, visit);
  };
  visit(file);
  return constants;
}

function evaluate(node: ts.Expression, lookUp: (name: string) => string | null): string | null {
  if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return node.text;
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) return lookUp(node.getText());
  if (!ts.isTemplateExpression(node)) return null;
  const parts = node.templateSpans.map(({ expression, literal }) => {
    const value = evaluate(expression, lookUp);
    return value === null ? null : value + literal.text;
  });
  return parts.includes(null) ? null : node.head.text + parts.join('');
}
