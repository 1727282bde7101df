/**
 * Text of a business as plain text. Everything here reads the text in one pass: a regular expression that looks for the end of a tag
 * or an element takes quadratic time if there is none.
 */

const VARIABLE = /\{\{\s*(?:subscriber\.\w+|unsubscribeUrl|viewUrl|referralUrl)\s*\}\}/;

/** Issues of a newsletter contain variables for the subscriber, who is unknown on the storefront. */
export function withoutVariables(text: string): string {
  const parts = text.split(VARIABLE);
  return parts.map((part, i) => (i < parts.length - 1 ? part.trimEnd() : part)).join('');
}

/** Inline elements. All others separate words. */
const INLINE = /^<\/?(?:a|b|code|em|i|mark|s|small|span|strong|sub|sup|u)\b/i;

/** The beginning of HTML, without a tag that is cut off. */
export function startOf(html: string, maxLength: number): string {
  if (html.length <= maxLength) return html;
  const start = html.slice(0, maxLength);
  return start.lastIndexOf('<') > start.lastIndexOf('>') ? start.slice(0, start.lastIndexOf('<')) : start;
}

/** Text without markup, for descriptions. */
export function plainText(html: string, maxLength = 160): string {
  const text = replaceTags(html, (tag) => (INLINE.test(tag) ? '' : ' '))
    .replace(/&nbsp;/g, ' ')
    .replace(/&amp;/g, '&')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  if (text.length <= maxLength) return text;
  return `${text.slice(0, text.lastIndexOf(' ', maxLength - 1)).replace(/[.,;:]$/, '')}…`;
}

/** A tag is everything from `<` to the next `>`. */
function replaceTags(html: string, replace: (tag: string) => string): string {
  let text = '';
  let at = 0;
  for (let open = html.indexOf('<'); open !== -1; open = html.indexOf('<', at)) {
    const close = html.indexOf('>', open);
    if (close === -1) break;
    text += html.slice(at, open) + replace(html.slice(open, close + 1));
    at = close + 1;
  }
  return text + html.slice(at);
}

/**
 * Replaces elements. `start` finds their start tags and has the name or another value of the tag as its first group. `endOf` returns the end tag.
 * An element without an end tag stays.
 */
export function replaceElements(
  html: string,
  start: RegExp,
  endOf: (value: string) => string,
  replace: (value: string) => string,
): string {
  const missing = new Set<string>();
  let text = '';
  let at = 0;
  for (const { index, 1: value = '' } of html.matchAll(start)) {
    const end = endOf(value);
    if (index < at || missing.has(end)) continue;
    const close = html.indexOf(end, index);
    if (close === -1) missing.add(end);
    else {
      text += html.slice(at, index) + replace(value);
      at = close + end.length;
    }
  }
  return text + html.slice(at);
}
