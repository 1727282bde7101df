import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';

const require = createRequire(import.meta.url);
/** Loaded on first use, because many processes never need it. */
let library: typeof sanitize | undefined;

const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'div', 'span'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'img', 'figure', 'figcaption'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'del', 'ins', 'sub', 'sup', 'mark', 'small', 'abbr', 'q', 'cite'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
];
const KNOWN = new Set(TAGS);
/** Divides rich text into a free and a paid part, in the form that the sanitizer writes. */
export const PAYWALL = '<hr data-paywall />';
/** Parsing time grows with the nesting depth. Without a limit, hostile HTML could take minutes. */
const MAX_DEPTH = 100;

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    abbr: ['title'],
    ol: ['start'],
    hr: ['data-paywall'],
    p: ['data-button'],
    figure: ['data-gallery', 'data-embed'],
    div: ['data-columns', 'data-product'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
    p: (tagName, attribs) => marked('data-button')(tagName, attribs),
    figure: (tagName, attribs) => marked('data-gallery', 'data-embed')(tagName, attribs),
    div: (tagName, attribs) => markedDiv(tagName, attribs),
    a: (tagName, { href, title, target }) => ({
      tagName,
      attribs: {
        ...(href === undefined ? {} : { href }),
        ...(title === undefined ? {} : { title }),
        ...(target === '_blank' ? { target } : {}),
        rel: 'noopener noreferrer',
      },
    }),
  },
};

/**
 * Attributes that mark elements: `<p data-button>`, `<figure data-gallery>`, `<figure data-embed>`, `<div data-columns>`. They have no
 * value.
 */
const marked =
  (...names: string[]) =>
  (tagName: string, attribs: sanitize.Attributes): sanitize.Tag => {
    const name = names.find((each) => each in attribs);
    return { tagName, attribs: name ? { [name]: '' } : {} };
  };

/** `<div data-product="prod_1">` stands for a product. */
const markedDiv = (tagName: string, attribs: sanitize.Attributes): sanitize.Tag => {
  const id = attribs['data-product'] ?? '';
  return /^[A-Za-z0-9_-]{1,64}$/.test(id)
    ? { tagName, attribs: { 'data-product': id } }
    : marked('data-columns')(tagName, attribs);
};

class TooDeep extends Error {}

/**
 * Reduces rich text to harmless HTML: allowed tags and attributes, links and images with allowed schemes. Content that browsers parse
 * by other rules (svg, math, style, script, templates) is always removed, so that every parser reads the text the same way. The
 * result is stable: sanitizing it again changes nothing. Null if the text is nested too deeply.
 */
export function sanitizeHtml(text: string): string | null {
  if (!/[<>&]/.test(text)) return text;
  try {
    const { clean, hasDroppedTags } = sanitizeOnce(text);
    return hasDroppedTags ? sanitizeOnce(clean).clean : clean;
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

/** `hasDroppedTags`: without the dropped tags, another parser may nest the text differently. */
function sanitizeOnce(text: string): { clean: string; hasDroppedTags: boolean } {
  let depth = 0;
  let hasDroppedTags = false;
  library ??= require('sanitize-html') as typeof sanitize;
  const clean = library(text, {
    ...OPTIONS,
    transformTags: {
      ...OPTIONS.transformTags,
      // A divider inside another element would cut that element in two.
      hr: (tagName, attribs): sanitize.Tag => ({
        tagName,
        attribs: depth === 1 && 'data-paywall' in attribs ? { 'data-paywall': '' } : {},
      }),
    },
    onOpenTag(name) {
      if (++depth > MAX_DEPTH) throw new TooDeep();
      if (!KNOWN.has(name)) hasDroppedTags = true;
    },
    onCloseTag() {
      depth--;
    },
  });
  return { clean, hasDroppedTags };
}
