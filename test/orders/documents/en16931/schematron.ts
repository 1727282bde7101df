/**
 * Evaluates Schematron rules. Each rule becomes one XPath expression that names the violated assertions. A rule also applies to nodes
 * that an earlier rule of its pattern matches, which is stricter than the standard.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { XMLParser } from 'fast-xml-parser';

type Evaluate = (xpath: string, node: unknown, options: object) => unknown;
const SaxonJS = createRequire(import.meta.url)('saxon-js') as {
  getResource(options: object): Promise<unknown>;
  XPath: { evaluate: Evaluate };
};

type Node = Record<string, Node[]> & { ':@'?: Record<string, string> };
const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: true,
});
const read = (name: string): Node[] =>
  parser.parse(gunzipSync(readFileSync(new URL(`./${name}.sch.gz`, import.meta.url))).toString());

const nameOf = (node: Node) => Object.keys(node).find((key) => key !== ':@')!;
const attributesOf = (node: Node) => node[':@'] ?? {};
const childrenOf = (node: Node) => node[nameOf(node)] ?? [];
const all = (nodes: readonly Node[], name: string): Node[] =>
  nodes.flatMap((node) =>
    nameOf(node) === name ? [node] : Array.isArray(childrenOf(node)) ? all(childrenOf(node), name) : [],
  );

type Rules = { expressions: string[]; namespaces: Record<string, string> };

/** Only fatal assertions count. The rules for extensions of XRechnung, which we don't write, are left out. */
export function readRules(...names: string[]): Rules {
  const files = names.flatMap(read);
  const patterns = all(files, 'pattern').filter((pattern) => !/extension|cvd/.test(attributesOf(pattern).id ?? ''));
  const namespaces = Object.fromEntries(
    all(files, 'ns').map((node) => [attributesOf(node).prefix!, attributesOf(node).uri!]),
  );
  const globals = patterns.flatMap((pattern) => lets(childrenOf(pattern)));
  const shared = globals.concat(all(files, 'schema').flatMap((schema) => lets(childrenOf(schema))));
  const expressions = all(patterns, 'rule').flatMap((rule) => {
    const asserts = all(childrenOf(rule), 'assert').map(attributesOf);
    const fatal = asserts.filter(({ flag = 'fatal', test }) => flag === 'fatal' && test !== 'true()');
    if (fatal.length === 0) return [];
    const tests = fatal.map(({ id, test }) => `if (${test}) then () else '${id}'`);
    const own = [...shared, ...lets(childrenOf(rule))].map((variable) => `${variable} `).join('');
    return [`(${contextsOf(attributesOf(rule).context!)}) ! (${own}(${tests.join(', ')}))`];
  });
  return { expressions, namespaces };
}

const lets = (nodes: readonly Node[]) =>
  nodes
    .filter((node) => nameOf(node) === 'let')
    .map(attributesOf)
    .map(({ name, value }) => `let $${name} := (${value}) return`);

/** A pattern such as `cac:Party` matches anywhere. */
function contextsOf(context: string): string {
  const parts: string[] = [''];
  let depth = 0;
  for (const letter of context) {
    if (letter === '[' || letter === '(') depth++;
    if (letter === ']' || letter === ')') depth--;
    if (letter === '|' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => (part.trim().startsWith('/') ? part.trim() : `//${part.trim()}`)).join(' | ');
}

/** The IDs of the violated rules of each document. */
export async function violations(rules: Rules, texts: readonly string[]): Promise<string[][]> {
  const documents = await Promise.all(texts.map((text) => SaxonJS.getResource({ text, type: 'xml' })));
  const found = texts.map((): string[] => []);
  for (const expression of rules.expressions) {
    const xpath = `for $i in 1 to count($documents) return $documents[$i] ! ((${expression}) ! concat($i, ' ', .))`;
    const options = { namespaceContext: rules.namespaces, params: { documents }, resultForm: 'array' };
    for (const result of SaxonJS.XPath.evaluate(xpath, null, options) as string[]) {
      const [at, id] = result.split(' ');
      found[Number(at) - 1]!.push(id!);
    }
  }
  return found;
}
