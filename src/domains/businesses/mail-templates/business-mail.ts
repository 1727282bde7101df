/** Writes the emails of a business with its branding. Pure. */
import type { Mail } from '../../../providers/mail/port.ts';
import { addressLines } from '../../../shared/addresses/index.ts';
import type { Brand } from '../../../shared/mail/brand.ts';
import type { AnyMailKind } from '../../../shared/mail/kinds.ts';
import { type Language, languageOf, textsIn } from '../../../shared/mail/languages.ts';
import type { MailPart } from '../../../shared/mail/parts.ts';
import { type MailText, renderMail } from '../../../shared/mail/render.ts';
import { absolute } from '../../../shared/mail/rich-text.ts';
import { oneLine } from '../../../shared/mail/template.ts';
import type { BusinessRow } from '../queries.ts';

type Sender = Pick<BusinessRow, 'id' | 'name' | 'configs'>;

export const brandOf = ({ name, configs: { brand } }: Sender, publicUrl: string): Brand => ({
  name,
  logo: brand?.logo ? absolute(brand.logo.url, publicUrl) : null,
  color: brand?.color ?? null,
});

/** The first of these locales that has translations, or else the language of the business. */
export const businessLanguage = (
  { configs }: Pick<BusinessRow, 'configs'>,
  ...locales: readonly (string | null | undefined)[]
): Language => languageOf(...locales, configs.email?.locale);

type Written = {
  kind: AnyMailKind;
  language: Language;
  /** The business's own text, which replaces the default text. */
  text?: MailText | null;
  values: Readonly<Record<string, string | undefined>>;
  /** The fixed parts, after the text. */
  parts?: readonly MailPart[];
  /** The target of the button, which comes before the parts. */
  link?: { url: string; isRepeated?: boolean; isQuiet?: boolean };
  /** A part before the button. */
  first?: MailPart | undefined;
  corner?: string;
  /** Without branding or legal details: for people who may not know the business. */
  isPlain?: boolean;
  publicUrl: string;
};

export type WrittenMail = Omit<Mail, 'to'> & { html: string };

export function writeBusinessMail(business: Sender, written: Written): WrittenMail {
  const { kind, language, text, values, parts = [], link, first, corner, isPlain = false, publicUrl } = written;
  const { button = '', note, ...standard } = textsIn(language).mails[kind];
  const { fromName, replyTo } = business.configs.email ?? {};
  const rendered = renderMail({
    language,
    brand: isPlain ? { name: '', logo: null, color: null } : brandOf(business, publicUrl),
    text: text ?? standard,
    values: { 'business.name': oneLine(business.name), ...values },
    parts: [
      ...(first ? [first] : []),
      ...(link ? [{ type: 'button' as const, label: button, ...link }] : []),
      ...parts,
      ...(note ? [{ type: 'note' as const, text: note }] : []),
    ],
    footer: isPlain ? [] : legalLines(business, language),
    ...(corner ? { corner } : {}),
    publicUrl,
  });
  if (isPlain) return rendered;
  return {
    ...rendered,
    businessId: business.id,
    fromName: fromName ?? oneLine(business.name),
    ...(replyTo ? { replyTo } : {}),
  };
}

/** The legal name and address of the business, and its own details. */
export function legalLines({ name, configs: { profile, email } }: Sender, locale: string): string[] {
  const address = profile?.address ? addressLines(profile.address, locale).join(', ') : '';
  const footer = email?.footer?.trim();
  return [oneLine(profile?.legalName ?? name), address, ...(footer ? footer.split(/\r?\n/) : [])].filter(Boolean);
}
