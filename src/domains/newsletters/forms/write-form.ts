/** Writes the HTML of a form. Pure. */
import { escapeHtml } from '../../../shared/text/escape.ts';
import { MAX_NAME } from '../subscriptions/subscriber-name.ts';
import type { FormRow } from './queries.ts';

/** A honeypot: people don't see this field, but bots fill it in. */
export const TRAP = 'website';
export const FIELD_PREFIX = 'fields.';
export const MAX_FIELD = 100;

const TEXTS = {
  en: { email: 'Email', name: 'Name', trap: 'Leave this field empty', button: 'Subscribe' },
  de: { email: 'E-Mail', name: 'Name', trap: 'Dieses Feld leer lassen', button: 'Abonnieren' },
};

export const formUrl = (publicUrl: string, { businessId, id }: Pick<FormRow, 'businessId' | 'id'>) =>
  `${publicUrl}/f/${businessId}/${id}`;

const formAction = ({ businessId, id }: Pick<FormRow, 'businessId' | 'id'>) => `/v1/forms/${businessId}/${id}`;

/** `base` is empty on our own page. */
export function embedHtml(base: string, row: FormRow, language: string): string {
  const { heading, text, button, asksName, fields } = row.doc;
  const texts = language.startsWith('de') ? TEXTS.de : TEXTS.en;
  const input = (label: string, attributes: string) =>
    `  <p><label>${escapeHtml(label)}<br><input ${attributes}></label></p>`;
  return [
    `<form action="${escapeHtml(base + formAction(row))}" method="post" accept-charset="utf-8">`,
    ...(heading ? [`  <h2>${escapeHtml(heading)}</h2>`] : []),
    ...(text ? [`  <p>${escapeHtml(text)}</p>`] : []),
    input(texts.email, 'type="email" name="email" required maxlength="254" autocomplete="email"'),
    ...(asksName ? [input(texts.name, `name="name" maxlength="${MAX_NAME}" autocomplete="name"`)] : []),
    ...fields.map((field) =>
      input(field.replaceAll(/[_-]+/g, ' '), `name="${FIELD_PREFIX}${escapeHtml(field)}" maxlength="${MAX_FIELD}"`),
    ),
    `  <p hidden><label>${texts.trap} <input name="${TRAP}" tabindex="-1" autocomplete="off"></label></p>`,
    `  <p><button type="submit">${escapeHtml(button || texts.button)}</button></p>`,
    '</form>',
  ].join('\n');
}
