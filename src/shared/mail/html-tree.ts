/** Sanitized rich text as a tree. The sanitizer closes every tag and escapes every attribute, so finding `<` and `>` is enough to parse it. */
import { tagsOf } from '../text/tags.ts';

export type Node = string | Element;
export type Element = {
  name: string;
  /** As written, with a leading space. */
  attributes: string;
  children: Node[];
};

const VOID = new Set(['br', 'hr', 'img']);
/** The sanitizer allows half of it. Deeper elements become siblings, so that the functions that visit a tree can be recursive. */
const MAX_DEPTH = 200;

export function parseTree(html: string): Node[] {
  const root: Element = { name: '', attributes: '', children: [] };
  const open = [root];
  let at = 0;
  for (const { name, isClosing, attributes, start, end } of tagsOf(html)) {
    if (!/^[a-z]/.test(name)) continue;
    const parent = open.at(-1)!;
    if (start > at) parent.children.push(html.slice(at, start));
    at = end;
    if (!isClosing) {
      const element = { name, attributes, children: [] };
      parent.children.push(element);
      if (!VOID.has(name) && open.length < MAX_DEPTH) open.push(element);
    } else if (open.length > 1 && parent.name === name) open.pop();
  }
  if (at < html.length) open.at(-1)!.children.push(html.slice(at));
  return root.children;
}

export const isElement = (node: Node): node is Element => typeof node !== 'string';
export const isVoid = ({ name }: Element) => VOID.has(name);
export const elementsOf = ({ children }: Element): Element[] => children.filter(isElement);

/** Undefined if the element has no such attribute, and empty if it has no value. */
export function attributeOf({ attributes }: Pick<Element, 'attributes'>, name: string): string | undefined {
  for (let at = 0; at < attributes.length; ) {
    if (attributes[at] === ' ') {
      at++;
      continue;
    }
    const start = at;
    while (at < attributes.length && attributes[at] !== ' ' && attributes[at] !== '=') at++;
    const isFound = attributes.slice(start, at) === name;
    if (attributes[at] !== '=') {
      if (isFound) return '';
      continue;
    }
    if (attributes[at + 1] !== '"') {
      while (at < attributes.length && attributes[at] !== ' ') at++;
      continue;
    }
    const end = attributes.indexOf('"', at + 2);
    if (end === -1) return undefined;
    if (isFound) return attributes.slice(at + 2, end);
    at = end + 1;
  }
  return undefined;
}

/** The first element with this name, at any depth. */
export function findElement(nodes: readonly Node[], name: string): Element | undefined {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const found = node.name === name ? node : findElement(node.children, name);
    if (found) return found;
  }
  return undefined;
}

export const writeTree = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (!isElement(node)) return node;
      const { name, attributes, children } = node;
      return isVoid(node) ? `<${name}${attributes} />` : `<${name}${attributes}>${writeTree(children)}</${name}>`;
    })
    .join('');
