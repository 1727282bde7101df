/** The layout of an email. Uses tables and inline styles, because email clients support little else. */
import type { Template } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';
import { directionOf, tag } from './block-text.ts';
import { escapeTemplate, join, mapText } from './template.ts';

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;";
const TEXT = `margin:0 0 16px;${FONT}font-size:16px;line-height:1.55;color:#221c17;`;
const HEADING = `margin:0 0 16px;${FONT}font-size:26px;line-height:1.25;font-weight:700;color:#221c17;`;

const STYLES: Record<string, string> = {
  p: TEXT,
  ul: `${TEXT}padding-inline-start:24px;`,
  ol: `${TEXT}padding-inline-start:24px;`,
  li: 'margin:0 0 6px;',
  h1: HEADING,
  h2: `margin:24px 0 12px;${FONT}font-size:21px;line-height:1.3;color:#221c17;`,
  h3: `margin:20px 0 10px;${FONT}font-size:18px;line-height:1.35;color:#221c17;`,
  blockquote: `${TEXT}padding-inline-start:16px;border-inline-start:3px solid #e2d9cc;`,
  a: 'color:#a4401f;text-decoration:underline;',
  img: 'max-width:100%;height:auto;border:0;',
  pre: 'margin:0 0 16px;font-family:Menlo,Consolas,monospace;font-size:14px;white-space:pre-wrap;',
  hr: 'border:0;border-top:1px solid #e2d9cc;margin:24px 0;',
};

type Document = {
  title: Template;
  locale: string;
  parts: readonly Template[];
  businessName: string;
  /** Adds a footer with the unsubscribe link. */
  unsubscribe: boolean;
};

export function htmlDocument({ title, locale, parts, businessName, unsubscribe }: Document): Template {
  const direction = directionOf(locale);
  const align = direction === 'rtl' ? 'right' : 'left';
  const footer: Template = unsubscribe
    ? [
        `<tr><td dir="ltr" lang="en" align="center" style="padding:16px 32px;${FONT}font-size:13px;line-height:1.5;color:#6a5f55;">`,
        `You're receiving this email because you subscribed to ${escapeHtml(businessName)}. <a href="`,
        { variable: 'unsubscribeUrl' },
        '" style="color:#6a5f55;text-decoration:underline;">Unsubscribe</a></td></tr>',
      ]
    : [];
  return join([
    `<!DOCTYPE html>\n<html lang="${escapeHtml(tag(locale))}" dir="${direction}">\n<head>\n<meta charset="utf-8">\n` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>',
    ...escapeTemplate(title),
    '</title>\n</head>\n<body style="margin:0;padding:0;background:#f7f3ec;">\n' +
      '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#f7f3ec;"><tr><td align="center" style="padding:24px 12px;">\n' +
      '<table role="presentation" width="600" cellpadding="0" cellspacing="0" border="0" style="width:100%;max-width:600px;">\n' +
      `<tr><td dir="${direction}" align="${align}" style="padding:32px;background:#ffffff;border-radius:8px;text-align:${align};${FONT}font-size:16px;line-height:1.55;color:#221c17;">\n`,
    ...parts.flatMap((part) => [...part, '\n']),
    '</td></tr>\n',
    ...footer,
    '\n</table>\n</td></tr></table>\n</body>\n</html>\n',
  ]);
}

/** Formats plain text: blank lines separate paragraphs, line breaks are kept. */
export function paragraphs(words: Template, isHeading: boolean): Template {
  const [name, style] = isHeading ? ['h1', HEADING] : ['p', TEXT];
  const open = `<${name} style="${style}">`;
  const body = mapText(escapeTemplate(words), (text) =>
    text
      .replaceAll(/\r\n?/g, '\n')
      .split(/\n{2,}/)
      .map((paragraph) => paragraph.replaceAll('\n', '<br>\n'))
      .join(`</${name}>\n${open}`),
  );
  return join([open, ...body, `</${name}>`]);
}

/** Adds the inline styles that email clients need to sanitized rich text. */
export const richText = (html: string) =>
  html.replaceAll(/<([a-z][a-z0-9]*)(?=[\s/>])/g, (all, name: string) =>
    STYLES[name] ? `<${name} style="${STYLES[name]}"` : all,
  );

export const image = (url: string) =>
  `<p style="${TEXT}"><img src="${escapeHtml(url)}" alt="" width="536" style="${STYLES.img}display:block;"></p>`;
