/** Renders an email as HTML and plain text. Pure. */
import { escapeHtml } from '../text/escape.ts';
import { withoutElements } from '../text/tags.ts';
import { firstCharacters } from '../text/text.ts';
import { type Brand, lightAccent } from './brand.ts';
import { withPlainElements } from './elements.ts';
import { mailFrame } from './frame.ts';
import type { Language } from './languages.ts';
import { type MailPart, partHtml, partText } from './parts.ts';
import { plainText } from './plain-text.ts';
import { absoluteLinks, richText } from './rich-text.ts';
import { escapeTemplate, fill, oneLine, parseTemplate } from './template.ts';

export type MailText = {
  /** Plain text with variables. */
  subject: string;
  /** Sanitized rich text with variables. */
  body: string;
};

type MailInput = {
  language: Language;
  brand: Brand;
  text: MailText;
  values: Readonly<Record<string, string | undefined>>;
  /** The parts after the body. No template can remove them. */
  parts: readonly MailPart[];
  /** Lines below the card. */
  footer: readonly string[];
  corner?: string;
  publicUrl: string;
};

export type RenderedMail = { subject: string; html: string; text: string };

const PREHEADER_CHARACTERS = 140;

export function renderMail(input: MailInput): RenderedMail {
  const { language, brand, text, values, footer, corner = '', publicUrl } = input;
  const value = (variable: string) => values[variable] ?? '';
  const subject = oneLine(fill(parseTemplate(text.subject), value)).trim();
  const accent = lightAccent(brand);
  const rich = absoluteLinks(text.body, publicUrl);
  const plain = (html: string) => fill(parseTemplate(plainText(withPlainElements(html, new Map()))), value);
  const body: MailPart = {
    type: 'body',
    html: fill(parseTemplate(richText(rich, accent)), (variable) => escapeHtml(value(variable))),
    text: plain(rich),
  };
  const parts = [body, ...input.parts];
  const preheader = plain(withoutElements(rich, 'h1'));
  const html = mailFrame({
    title: escapeTemplate([subject]),
    locale: language,
    brand,
    corner,
    preheader: firstCharacters(oneLine(preheader), PREHEADER_CHARACTERS),
    content: parts.map((part) => partHtml(part, accent)),
    footer: footer.length > 0 ? [footer.map(escapeHtml).join('<br>\n')] : [],
  });
  return {
    subject,
    html: fill(html, () => ''),
    text: `${[...parts.map(partText), footer.join('\n')].filter(Boolean).join('\n\n')}\n`,
  };
}
