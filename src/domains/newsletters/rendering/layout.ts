import type { Brand } from '../../../shared/mail/brand.ts';
import { mailFrame } from '../../../shared/mail/frame.ts';
import { textsIn } from '../../../shared/mail/languages.ts';
import { escapeTemplate, type Template } from '../../../shared/mail/template.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';

type Document = {
  title: Template;
  locale: string;
  parts: readonly Template[];
  brand: Brand;
  /** The links that the footer adds. */
  links: { unsubscribe: boolean; view: boolean };
  /** The legal name and postal address of the sender. */
  legal: readonly string[];
};

/** A newsletter without a logo starts with its title. */
export function htmlDocument({ title, locale, parts, brand, links, legal }: Document): Template {
  const texts = textsIn(locale).newsletter;
  const anchor = (variable: string, text: string): Template => [
    '<a href="',
    { variable },
    `" style="color:inherit;text-decoration:underline;">${text}</a>`,
  ];
  const shown: Template[] = [
    ...(links.unsubscribe
      ? [[`${escapeHtml(texts.reason(brand.name))} `, ...anchor('unsubscribeUrl', texts.unsubscribe)]]
      : []),
    ...(links.view ? [anchor('viewUrl', texts.view)] : []),
  ];
  const asked: Template =
    shown.length === 0
      ? []
      : [
          `<span dir="ltr" lang="${texts.lang}">`,
          ...shown.flatMap((part, i) => (i === 0 ? part : [' · ', ...part])),
          '</span>',
        ];
  const lines = legal.map(escapeHtml).join('<br>\n');
  const footer: Template = [...asked, ...(lines ? [`${asked.length > 0 ? '<br><br>\n' : ''}${lines}`] : [])];
  return mailFrame({
    title: escapeTemplate(title),
    locale,
    brand: brand.logo ? brand : { ...brand, name: '' },
    content: parts.flatMap((part) => [...part, '\n']),
    footer,
  });
}
