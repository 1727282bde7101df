import type { Brand } from '../../../shared/mail/brand.ts';
import { mailFrame } from '../../../shared/mail/frame.ts';
import { type MailTexts, textsIn } from '../../../shared/mail/languages.ts';
import { escapeTemplate, type Template } from '../../../shared/mail/template.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';
import type { Tracking } from '../stats/track-links.ts';

type Document = {
  title: Template;
  locale: string;
  parts: readonly Template[];
  brand: Brand;
  /** The name of the newsletter. */
  newsletter: string;
  /** The links that the footer adds. */
  links: { unsubscribe: boolean; view: boolean };
  tracking: Tracking;
  /** The legal name and postal address of the sender. */
  legal: readonly string[];
};

/** Empty without tracking. */
export const trackingNotice = ({ counted }: MailTexts['newsletter'], { opens, clicks }: Tracking): string =>
  opens || clicks ? counted[opens && clicks ? 'both' : opens ? 'opens' : 'clicks'] : '';

/** A newsletter without a logo starts with its title. */
export function htmlDocument({ title, locale, parts, brand, newsletter, links, tracking, legal }: Document): Template {
  const texts = textsIn(locale).newsletter;
  const anchor = (variable: string, text: string): Template => [
    '<a href="',
    { variable },
    `" style="color:inherit;text-decoration:underline;">${text}</a>`,
  ];
  const shown: Template[] = [
    ...(links.unsubscribe
      ? [[`${escapeHtml(texts.reason(newsletter, brand.name))} `, ...anchor('unsubscribeUrl', texts.unsubscribe)]]
      : []),
    ...(links.view ? [anchor('viewUrl', texts.view)] : []),
  ];
  const notice = trackingNotice(texts, tracking);
  const notes: Template =
    shown.length === 0 && notice === ''
      ? []
      : [
          `<span dir="ltr" lang="${texts.lang}">`,
          ...shown.flatMap((part, i) => (i === 0 ? part : [' · ', ...part])),
          ...(notice === '' ? [] : [`<br>${notice} `, ...anchor('unsubscribeUrl', texts.optOut)]),
          '</span>',
        ];
  const lines = legal.map(escapeHtml).join('<br>\n');
  const footer: Template = [...notes, ...(lines ? [`${notes.length > 0 ? '<br><br>\n' : ''}${lines}`] : [])];
  return mailFrame({
    title: escapeTemplate(title),
    locale,
    brand: brand.logo ? brand : { ...brand, name: '' },
    content: parts.flatMap((part) => [...part, '\n']),
    footer,
  });
}
