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
  /** Adds a footer with the unsubscribe link. */
  unsubscribe: boolean;
};

/** A newsletter without a logo starts with its title. */
export function htmlDocument({ title, locale, parts, brand, unsubscribe }: Document): Template {
  const texts = textsIn(locale).newsletter;
  const footer: Template = unsubscribe
    ? [
        `<span dir="ltr" lang="${texts.lang}">${escapeHtml(texts.reason(brand.name))} <a href="`,
        { variable: 'unsubscribeUrl' },
        `" style="color:inherit;text-decoration:underline;">${texts.unsubscribe}</a></span>`,
      ]
    : [];
  return mailFrame({
    title: escapeTemplate(title),
    locale,
    brand: brand.logo ? brand : { ...brand, name: '' },
    content: parts.flatMap((part) => [...part, '\n']),
    footer,
  });
}
