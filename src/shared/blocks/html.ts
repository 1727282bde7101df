import { createRequire } from 'node:module';
import type sanitize from 'sanitize-html';

const require = createRequire(import.meta.url);
/** Loaded with the first rich text, which many processes never see. */
let library: typeof sanitize | undefined;

const TAGS = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'div', 'span'],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'img', 'figure', 'figcaption'],
  ...['strong', 'b', 'em', 'i', 'u', 's', 'del', 'ins', 'sub', 'sup', 'mark', 'small', 'abbr', 'q', 'cite'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
];
const KNOWN = new Set(TAGS);
/** The time that parsing takes grows with the depth, so that an unlimited one could be made to take minutes. */
const MAX_DEPTH = 100;

const OPTIONS: sanitize.IOptions = {
  allowedTags: TAGS,
  allowedAttributes: {
    a: ['href', 'title', 'target', 'rel'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    abbr: ['title'],
    ol: ['start'],
    th: ['colspan', 'rowspan', 'scope'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['http', 'https', 'mailto', 'tel'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  transformTags: {
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

class TooDeep extends Error {}

/**
 * Rich text reduced to what cannot act: known tags and attributes, links and images on known schemes. Nothing that a browser
 * parses by other rules than HTML (svg, math, style, script, templates) is ever let through, so that the text means the same
 * to every parser. What has passed once passes unchanged. Null: it is nested too deeply.
 */
export function sanitizeHtml(text: string): string | null {
  if (!/[<>&]/.test(text)) return text;
  try {
    const { clean, hasChangedShape } = sanitizeOnce(text);
    return hasChangedShape ? sanitizeOnce(clean).clean : clean;
  } catch (error) {
    if (error instanceof TooDeep) return null;
    throw error;
  }
}

/** Where a tag was left out, what stood around it may nest differently for the next parser. */
function sanitizeOnce(text: string): { clean: string; hasChangedShape: boolean } {
  let depth = 0;
  let hasChangedShape = false;
  library ??= require('sanitize-html') as typeof sanitize;
  const clean = library(text, {
    ...OPTIONS,
    onOpenTag(name) {
      if (++depth > MAX_DEPTH) throw new TooDeep();
      if (!KNOWN.has(name)) hasChangedShape = true;
    },
    onCloseTag() {
      depth--;
    },
  });
  return { clean, hasChangedShape };
}
