/** Reads HTML in one pass. Regular expressions that look for the end of a tag or element take quadratic time if there is none. */

/** Text and tags, which alternate: every second item is a tag. A `<` or `>` outside of a tag is text. */
export function splitTags(html: string): string[] {
  const pieces: string[] = [];
  let text = '';
  let at = 0;
  for (let close = html.indexOf('>'); close !== -1; close = html.indexOf('>', at)) {
    const before = html.slice(at, close);
    const open = before.lastIndexOf('<');
    if (open === -1) text += `${before}>`;
    else {
      pieces.push(text + before.slice(0, open), `${before.slice(open)}>`);
      text = '';
    }
    at = close + 1;
  }
  return [...pieces, text + html.slice(at)];
}

export const replaceTags = (html: string, replace: (tag: string) => string): string =>
  splitTags(html)
    .map((piece, i) => (i % 2 === 1 ? replace(piece) : piece))
    .join('');

/** The name of a tag in lower case, with a slash for an end tag: `h1`, `/h1`. */
export const tagName = (tag: string): string => /^<(\/?[a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';

/** The value of an attribute, as it is in the HTML. */
export function attributeOf(tag: string, name: string): string | null {
  const attribute = ` ${name}="`;
  const at = tag.replaceAll(/\s/g, ' ').indexOf(attribute);
  const start = at + attribute.length;
  const end = tag.indexOf('"', start);
  return at === -1 || end === -1 ? null : tag.slice(start, end);
}

/** Removes all elements with this name and their content. An element without an end tag stays. */
export function withoutElements(html: string, name: string): string {
  const pieces = splitTags(html);
  let kept = '';
  for (let i = 0; i < pieces.length; i++) {
    const isStart = i % 2 === 1 && tagName(pieces[i]!) === name;
    const end = isStart ? pieces.indexOf(`</${name}>`, i) : -1;
    if (isStart && end === -1) return kept + pieces.slice(i).join('');
    if (isStart) i = end;
    else kept += pieces[i];
  }
  return kept;
}
