/** Writes XML. */
export type XmlNode = string | false | null | undefined | XmlNode[];

/** Characters that XML 1.0 can't contain. */
const ILLEGAL = /(?![\t\n\r])\p{Cc}|[\p{Cs}\uFFFE\uFFFF]/gu;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const xmlText = (text: string) => text.replaceAll(ILLEGAL, '').replaceAll(/[&<>"]/g, (each) => ENTITIES[each]!);

/** An element with children, or nothing if it has none. */
export function element(name: string, ...children: XmlNode[]): string {
  const content = children.flat(5).filter(Boolean).join('');
  return content === '' ? '' : `<${name}>${content}</${name.split(' ')[0]}>`;
}

/** An element with text, or nothing if there is none. */
export const textElement = (name: string, text: string | null | undefined) =>
  text?.trim() ? element(name, xmlText(text.trim())) : '';
