import type { FIXED_KINDS } from './kinds.ts';
import { acceptedLocales, type Language, languageOf, textsIn } from './languages.ts';
import type { MailPart } from './parts.ts';
import { type RenderedMail, renderMail } from './render.ts';

/** `name`: the name of the business that the email is about. */
type Fixed = { link?: string; name?: string; parts?: readonly MailPart[]; values?: Readonly<Record<string, string>> };

/** An email from the service itself, not from a business. */
export function serviceMail(
  kind: (typeof FIXED_KINDS)[number],
  language: Language,
  { link, name = '', parts = [], values = {} }: Fixed,
): RenderedMail {
  const { button = '', note, ...text } = textsIn(language).mails[kind];
  return renderMail({
    language,
    brand: { name, logo: null, color: null },
    text,
    values,
    parts: [
      ...(link ? [{ type: 'button' as const, label: button, url: link, isRepeated: true }] : []),
      ...parts,
      ...(note ? [{ type: 'note' as const, text: note }] : []),
    ],
    footer: [],
    publicUrl: '',
  });
}

/** The language that the client of a request prefers. */
export const requestLanguage = ({ acceptLanguage }: { acceptLanguage: string }): Language =>
  languageOf(...acceptedLocales(acceptLanguage));
