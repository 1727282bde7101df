/** Replaces the links in an email, so that clicks can be counted. Pure. */
import { decodeEntities } from '../../../shared/mail/plain-text.ts';
import { join, type Template } from '../../../shared/mail/template.ts';

export type Tracking = { opens: boolean; clicks: boolean };

/** In text, `<` is escaped, so only tags match. A variable can end the part of the template within the tag. */
const TAG = /<a\b[^<>]*/g;
/** A link to a fixed URL. */
const LINK = /\bhref="(https?:\/\/[^"<>]+)"/;

/** More links than this are not counted. */
const MAX_LINKS = 200;

const linkVariable = (number: number) => `link.${number}`;

/** The transparent image that reports an open. */
const PIXEL: Template = [
  '<img src="',
  { variable: 'openUrl' },
  '" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px;">\n',
];

/**
 * Returns the HTML with a variable in place of each fixed link, and the links. Links with variables differ between subscribers and stay
 * unchanged: the links to unsubscribe and to view the email in the browser, and links that contain an address or a name. `known` are the
 * links of other versions of the email, which share their numbers.
 */
export function trackLinks(html: Template, known: readonly string[]): { html: Template; links: string[] } {
  const links = [...known];
  const tracked = html.flatMap((part): Template => {
    if (typeof part !== 'string') return [part];
    const parts: Template[number][] = [];
    let at = 0;
    for (const { 0: tag, index } of part.matchAll(TAG)) {
      const [attribute = '', href = ''] = LINK.exec(tag) ?? [];
      if (href === '') continue;
      const start = index + tag.indexOf(attribute) + 'href="'.length;
      const url = decodeEntities(href);
      if (!links.includes(url) && (links.length === MAX_LINKS || !URL.canParse(url))) continue;
      if (!links.includes(url)) links.push(url);
      parts.push(part.slice(at, start), { variable: linkVariable(links.indexOf(url)) });
      at = start + href.length;
    }
    return [...parts, part.slice(at)];
  });
  return { html: join(tracked), links };
}

/** Adds the image to the end of the HTML. */
export const addPixel = (html: Template): Template =>
  join(html.flatMap((part) => (typeof part === 'string' && part.includes('</body>') ? beforeEnd(part) : [part])));

function beforeEnd(text: string): Template {
  const at = text.lastIndexOf('</body>');
  return [text.slice(0, at), ...PIXEL, text.slice(at)];
}

/** The image that is shown instead of `openUrl` where nothing is counted. */
const BLANK = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** The values of the variables where nothing is counted: in previews, test emails and the browser. */
export const untracked = (links: readonly string[] = []): Record<string, string> => ({
  openUrl: BLANK,
  ...Object.fromEntries(links.map((url, i) => [linkVariable(i), url])),
});

/** The values of the variables for one subscriber, whose signed URLs are `url`. */
export function tracked(url: { click: string; open: string }, count: number): Record<string, string> {
  const values: Record<string, string> = { openUrl: url.open };
  for (let i = 0; i < count; i++) values[linkVariable(i)] = `${url.click}/${i}`;
  return values;
}
