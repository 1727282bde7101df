/** Limits XML before it is parsed, in one pass: the parser takes more than linear time for some files, and nests as deep as the file does. Pure. */
import { unreadable } from './entry.ts';

/** Statements are about ten levels deep. */
const MAX_DEPTH = 60;
const MAX_TAGS = 400_000;
const MAX_ATTRIBUTES = 200_000;
const MAX_ATTRIBUTES_OF_TAG = 50;
/** The parser merges adjacent text and entities one by one. */
const MAX_REFERENCES = 200_000;

export function checkXml(xml: string): void {
  let [depth, tags, attributes, references] = [0, 0, 0, 0];
  for (let at = 0; at < xml.length; ) {
    const start = xml.indexOf('<', at);
    references += count(xml, '&', at, start === -1 ? xml.length : start);
    if (references > MAX_REFERENCES) throw tooComplex('character references');
    if (start === -1) return;
    const end = endOf(xml, start);
    if (end === -1) throw unreadable('The file is not valid XML. Download it from your bank again.');
    at = end + 1;
    if (xml[start + 1] === '!' || xml[start + 1] === '?') continue;
    const own = count(xml, '=', start, end);
    attributes += own;
    if (++tags > MAX_TAGS) throw tooComplex('elements');
    if (own > MAX_ATTRIBUTES_OF_TAG || attributes > MAX_ATTRIBUTES) throw tooComplex('attributes');
    if (xml[start + 1] === '/') depth--;
    else if (xml[end - 1] !== '/' && ++depth > MAX_DEPTH) throw tooComplex('nested elements');
  }
}

const tooComplex = (what: string) =>
  unreadable(`The file has too many ${what}. Export a shorter period from your bank.`);

/** The index of the `>` that ends this tag, comment or section, or -1. */
function endOf(xml: string, start: number): number {
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<![CDATA[', ']]>'],
    ['<?', '?>'],
  ] as const) {
    if (!xml.startsWith(open, start)) continue;
    const found = xml.indexOf(close, start + open.length);
    return found === -1 ? -1 : found + close.length - 1;
  }
  let quote = '';
  for (let at = start + 1; at < xml.length; at++) {
    const character = xml[at]!;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return -1;
}

function count(xml: string, character: string, from: number, to: number): number {
  const code = character.charCodeAt(0);
  let found = 0;
  for (let at = from; at < to; at++) if (xml.charCodeAt(at) === code) found++;
  return found;
}
