/** The parts of an email. Each is written as HTML and as plain text from the same values. Pure. */
import { escapeHtml } from '../text/escape.ts';
import { type Accent, COLORS, FONT } from './brand.ts';

export type MailItem = {
  name: string;
  quantity: number;
  amount?: string | undefined;
  /** An absolute URL. */
  image?: { url: string; alt: string } | null | undefined;
};
type Row = { label: string; amount: string; isTotal?: boolean };
type Column = { title: string; lines: readonly string[] };

export type MailPart =
  | { type: 'body'; html: string; text: string }
  /** `isRepeated`: the URL is also shown, for people whose email client disables links. `isQuiet`: a link, not a button. */
  | { type: 'button'; label: string; url: string; isRepeated?: boolean; isQuiet?: boolean }
  | { type: 'items'; title?: string; items: readonly MailItem[] }
  | { type: 'totals'; rows: readonly Row[]; notes: readonly string[] }
  | { type: 'columns'; columns: readonly Column[] }
  | { type: 'image'; url: string; alt: string; pixels: number }
  | { type: 'note'; text: string };

const TABLE = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
const TEXT = `${FONT}font-size:15px;line-height:1.5;color:${COLORS.ink};`;
const QUIET = `${FONT}font-size:14px;line-height:1.5;color:${COLORS.quiet};`;
const LINE = `border-top:1px solid ${COLORS.line};`;
const IMAGE_PIXELS = 56;

export function partHtml(part: MailPart, accent: Accent): string {
  switch (part.type) {
    case 'body':
      return `${part.html}\n`;
    case 'button':
      return button(part, accent);
    case 'items':
      return items(part);
    case 'totals':
      return totals(part);
    case 'columns':
      return columns(part.columns);
    case 'image':
      return `<p style="margin:0 0 24px;"><img src="${escapeHtml(part.url)}" alt="${escapeHtml(part.alt)}" width="${part.pixels}" height="${part.pixels}" style="display:block;border:0;border-radius:8px;"></p>\n`;
    case 'note':
      return `<p class="quiet" style="margin:16px 0 0;${QUIET}">${lines(part.text.split('\n'))}</p>\n`;
  }
}

export function partText(part: MailPart): string {
  switch (part.type) {
    case 'body':
    case 'note':
      return part.text;
    case 'button':
      return `${part.label}: ${part.url}`;
    case 'image':
      return `${part.alt}: ${part.url}`;
    case 'items':
      return [
        ...(part.title ? [`${part.title}:`] : []),
        ...part.items.map(({ name, quantity, amount }) => `  ${quantity} × ${name}${amount ? `   ${amount}` : ''}`),
      ].join('\n');
    case 'totals':
      return [
        ...part.rows.map(({ label, amount }) => `  ${label}   ${amount}`),
        ...part.notes.map((note) => `  ${note}`),
      ].join('\n');
    case 'columns':
      return part.columns
        .map(({ title, lines: each }) => [`${title}:`, ...each.map((line) => `  ${line}`)].join('\n'))
        .join('\n\n');
  }
}

const lines = (texts: readonly string[]) => texts.map(escapeHtml).join('<br>\n');

/** `mso-padding-alt` is for Outlook, which ignores the padding of a link. */
function button(
  { label, url, isRepeated, isQuiet }: Extract<MailPart, { type: 'button' }>,
  { button: color, onButton, link: linkColor }: Accent,
): string {
  const href = escapeHtml(url);
  if (isQuiet)
    return `<p style="margin:0 0 24px;${TEXT}"><a href="${href}" style="color:${linkColor};text-decoration:underline;">${escapeHtml(label)}</a></p>\n`;
  const link = `<a href="${href}" style="display:inline-block;padding:13px 24px;${FONT}font-size:16px;line-height:20px;font-weight:600;color:${onButton};text-decoration:none;">${escapeHtml(label)}</a>`;
  const repeated = isRepeated
    ? `<p class="quiet" style="margin:0 0 16px;${QUIET}word-break:break-all;"><a href="${href}" class="quiet" style="color:${COLORS.quiet};">${href}</a></p>\n`
    : '';
  return (
    `<table ${TABLE} class="button" style="margin:8px 0 24px;"><tr>` +
    `<td bgcolor="${color}" style="background:${color};border-radius:8px;mso-padding-alt:13px 24px;">${link}</td></tr></table>\n${repeated}`
  );
}

const subheading = (title: string) =>
  `<h2 style="margin:0 0 8px;${FONT}font-size:16px;line-height:1.4;font-weight:600;color:${COLORS.ink};">${escapeHtml(title)}</h2>\n`;

function items({ title, items: all }: Extract<MailPart, { type: 'items' }>): string {
  const hasImages = all.some(({ image }) => image);
  const rows = all.map(({ name, quantity, amount, image }) => {
    const cell = `class="line" style="padding:12px 0;${LINE}`;
    const shown = image
      ? `<img src="${escapeHtml(image.url)}" alt="${escapeHtml(image.alt)}" width="${IMAGE_PIXELS}" height="${IMAGE_PIXELS}" style="display:block;width:${IMAGE_PIXELS}px;height:${IMAGE_PIXELS}px;border:0;border-radius:8px;object-fit:cover;">`
      : '&nbsp;';
    return (
      `<tr>${hasImages ? `<td width="${IMAGE_PIXELS + 16}" valign="top" ${cell}">${shown}</td>` : ''}` +
      `<td valign="top" ${cell}${TEXT}word-break:break-word;"><strong style="font-weight:600;">${escapeHtml(name)}</strong><br>\n<span class="quiet" style="color:${COLORS.quiet};">× ${quantity}</span></td>` +
      (amount
        ? `<td valign="top" align="right" ${cell}${TEXT}padding-inline-start:12px;white-space:nowrap;">${escapeHtml(amount)}</td>`
        : '') +
      '</tr>\n'
    );
  });
  return `${title ? subheading(title) : ''}<table ${TABLE} width="100%" style="margin:0 0 16px;">\n${rows.join('')}</table>\n`;
}

function totals({ rows, notes }: Extract<MailPart, { type: 'totals' }>): string {
  const shown = rows.map(({ label, amount, isTotal }, i) => {
    // The table has a line above its first row.
    const rule = isTotal && i > 0 ? `padding:12px 0 2px;${LINE}` : `padding:0 0 ${isTotal ? 2 : 8}px;`;
    const style = `${rule}${TEXT}${isTotal ? 'font-size:18px;font-weight:700;' : ''}`;
    const cell = isTotal && i > 0 ? 'class="line"' : '';
    return `<tr><td ${cell} style="${style}">${escapeHtml(label)}</td><td ${cell} align="right" style="${style}padding-inline-start:12px;white-space:nowrap;">${escapeHtml(amount)}</td></tr>\n`;
  });
  const below = notes.map(
    (note) =>
      `<tr><td colspan="2" align="right" class="quiet" style="padding:2px 0;${QUIET}">${escapeHtml(note)}</td></tr>\n`,
  );
  return `<table ${TABLE} width="100%" class="line" style="margin:0 0 24px;padding-top:12px;${LINE}">\n${shown.join('')}${below.join('')}</table>\n`;
}

/** Two side by side, or one below the other on phones. */
function columns(all: readonly Column[]): string {
  const cell = ({ title, lines: each }: Column) =>
    `<td class="column" valign="top" width="50%" style="padding:0 16px 16px 0;${TEXT}word-break:break-word;">${subheading(title)}${lines(each)}</td>`;
  const rows = all.flatMap((_, i) =>
    i % 2 === 0
      ? [
          `<tr>${all
            .slice(i, i + 2)
            .map(cell)
            .join('')}</tr>\n`,
        ]
      : [],
  );
  if (all.length === 1) rows[0] = rows[0]!.replace('width="50%"', '');
  return `<table ${TABLE} width="100%" class="line" style="margin:0 0 8px;padding-top:20px;${LINE}">\n${rows.join('')}</table>\n`;
}
