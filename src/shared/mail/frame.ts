/** The frame of every email: head, brand, card and footer. Uses tables, because email clients support little else. */
import { escapeHtml } from '../text/escape.ts';
import { directionOf, tag } from '../text/locales.ts';
import { type Brand, COLORS, FONT, stylesOf } from './brand.ts';
import { join, type Template } from './template.ts';

type Frame = {
  /** Escaped. */
  title: Template;
  locale: string;
  brand: Brand;
  /** Shown by inboxes after the subject. */
  preheader?: string;
  /** Shown to the right of the brand. */
  corner?: string;
  /** HTML. */
  content: Template;
  /** HTML. Empty for none. */
  footer: Template;
};

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';

export function mailFrame({ title, locale, brand, preheader = '', corner = '', content, footer }: Frame): Template {
  const direction = directionOf(locale);
  const [align, end] = direction === 'rtl' ? ['right', 'left'] : ['left', 'right'];
  return join([
    `<!DOCTYPE html>\n<html lang="${escapeHtml(tag(locale))}" dir="${direction}">\n<head>\n<meta charset="utf-8">\n` +
      '<meta name="viewport" content="width=device-width, initial-scale=1">\n' +
      '<meta name="color-scheme" content="light dark">\n<meta name="supported-color-schemes" content="light dark">\n' +
      `<style>\n${stylesOf(brand)}</style>\n<title>`,
    ...title,
    `</title>\n</head>\n<body class="page" style="margin:0;padding:0;background:${COLORS.page};">\n` +
      (preheader
        ? `<div style="display:none;max-height:0;overflow:hidden;">${escapeHtml(preheader)}${'&nbsp;&zwnj;'.repeat(40)}</div>\n`
        : '') +
      `<table ${TABLE} width="100%" class="page" style="background:${COLORS.page};"><tr><td align="center" style="padding:24px 12px;">\n` +
      `<table ${TABLE} width="600" style="width:100%;max-width:600px;">\n` +
      brandRow(brand, corner, align!, end!) +
      `<tr><td dir="${direction}" align="${align}" class="card" style="padding:32px;word-break:break-word;background:${COLORS.card};border-radius:12px;text-align:${align};${FONT}font-size:16px;line-height:1.55;color:${COLORS.ink};">\n`,
    ...content,
    '</td></tr>\n',
    ...(footer.length > 0
      ? [
          `<tr><td align="center" class="quiet" style="padding:20px 32px;word-break:break-word;${FONT}font-size:13px;line-height:1.5;color:${COLORS.quiet};">`,
          ...footer,
          '</td></tr>\n',
        ]
      : []),
    '</table>\n</td></tr></table>\n</body>\n</html>\n',
  ]);
}

function brandRow({ name, logo }: Brand, corner: string, align: string, end: string): string {
  if (!logo && !name) return '';
  const shown = logo
    ? `<img src="${escapeHtml(logo)}" alt="${escapeHtml(name)}" height="40" style="display:block;height:40px;width:auto;max-width:220px;border:0;">`
    : escapeHtml(name);
  const style = `${FONT}color:${COLORS.ink};`;
  return (
    `<tr><td style="padding:4px 8px 20px;"><table ${TABLE} width="100%"><tr>` +
    `<td align="${align}" class="ink" style="${style}font-size:20px;line-height:1.3;font-weight:700;word-break:break-word;">${shown}</td>` +
    (corner
      ? `<td align="${end}" class="quiet" style="${FONT}padding-inline-start:16px;font-size:14px;color:${COLORS.quiet};white-space:nowrap;">${escapeHtml(corner)}</td>`
      : '') +
    '</tr></table></td></tr>\n'
  );
}
