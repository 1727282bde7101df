import type { Template } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/escape.ts';

/** Filled in for each recipient. All other variables are known when the mail is rendered. */
export const RECIPIENT_VARIABLES = ['subscriber.name', 'subscriber.email', 'unsubscribeUrl'] as const;

export const VARIABLES = [
  {
    name: 'subscriber.name',
    description: "The subscriber's name; where none was given, the part of the address before the @.",
    example: 'Ada',
  },
  { name: 'subscriber.email', description: "The subscriber's address.", example: 'ada@example.com' },
  {
    name: 'unsubscribeUrl',
    description: "The subscriber's own link to unsubscribe. A mail that does not use it gets it in its footer.",
    example: 'https://shop.example/unsubscribe/…',
  },
  { name: 'business.name', description: 'The name of the business.', example: 'Linen & Co' },
  {
    name: 'entry.<blockId>',
    description: 'The value of another block of the entry, and entry.id, entry.locale.',
    example: 'entry.title',
  },
];

/** What a variable stands for: a template of plain text, or null when there is no such variable or it is empty. */
export type Lookup = (variable: string) => Template | null;

/** No part of it can match in two ways, so no text takes more than linear time. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Splits a text at its `{{variables}}`. */
export function parseTemplate(text: string): Template {
  const parts: (string | { variable: string })[] = [];
  let at = 0;
  for (const match of text.matchAll(PLACEHOLDER)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    parts.push({ variable: match[1]!.trim() });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/**
 * Puts in the values that are known now and leaves the placeholders of the recipient. Calls `unknown` for each variable
 * without a value.
 */
export function resolve(template: Template, lookup: Lookup, unknown: (variable: string) => void): Template {
  return join(
    template.flatMap((part) => {
      if (typeof part === 'string') return [part];
      const found = lookup(part.variable);
      if (found === null) unknown(part.variable);
      return found ?? [];
    }),
  );
}

/** Changes the fixed text and leaves the placeholders. */
export const mapText = (template: Template, change: (text: string) => string): Template =>
  template.map((part) => (typeof part === 'string' ? change(part) : part));

export const escapeTemplate = (template: Template) => mapText(template, escapeHtml);

/** Neighbouring texts become one. */
export function join(parts: Template): Template {
  const joined: (string | { readonly variable: string })[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  return joined;
}

export const uses = (template: Template, variable: string) =>
  template.some((part) => typeof part !== 'string' && part.variable === variable);

export const isBlank = (template: Template) => template.every((part) => typeof part === 'string' && part.trim() === '');
