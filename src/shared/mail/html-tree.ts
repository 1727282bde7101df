/** Sanitized rich text as a tree. The sanitizer closes every tag and escapes every attribute, so finding `<` and `>` is enough to parse it. */
export type Node = string | Element;
export type Element = {
  name: string;
  /** As written, with a leading space. */
  attributes: string;
  children: Node[];
};

const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^<>]*?)\s*(\/?)>|[^<]+|</g;
const VOID = new Set(['br', 'hr', 'img']);

export function parseTree(html: string): Node[] {
  const root: Element = { name: '', attributes: '', children: [] };
  const open = [root];
  for (const [token, slash, name, attributes = ''] of html.matchAll(TOKEN)) {
    const parent = open.at(-1)!;
    if (!name) parent.children.push(token);
    else if (!slash) {
      const element = { name, attributes, children: [] };
      parent.children.push(element);
      if (!VOID.has(name)) open.push(element);
    } else if (open.length > 1 && parent.name === name) open.pop();
  }
  return root.children;
}

export const isElement = (node: Node): node is Element => typeof node !== 'string';
export const isVoid = ({ name }: Element) => VOID.has(name);
export const elementsOf = ({ children }: Element): Element[] => children.filter(isElement);

/** Undefined if the element has no such attribute, and empty if it has no value. */
export const attributeOf = ({ attributes }: Element, name: string): string | undefined => {
  const found = new RegExp(` ${name}(?:="([^"]*)")?(?= |$)`).exec(attributes);
  return found ? (found[1] ?? '') : undefined;
};

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
