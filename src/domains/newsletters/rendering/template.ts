import type { Template } from '../../../providers/mail/port.ts';
import { escapeHtml } from '../../../shared/text/escape.ts';

/** Filled in for each recipient. All other variables are known when the email is rendered. */
export const RECIPIENT_VARIABLES = ['subscriber.name', 'subscriber.email', 'unsubscribeUrl'] as const;

export const VARIABLES = [
  {
    name: 'subscriber.name',
    description: "The subscriber's name, or the part of the email address before the @ if there is no name.",
    example: 'Ada',
  },
  { name: 'subscriber.email', description: "The subscriber's email address.", example: 'ada@example.com' },
  {
    name: 'unsubscribeUrl',
    description: "The subscriber's unsubscribe link. If an email doesn't include it, it's added to the footer.",
    example: 'https://shop.example/unsubscribe/…',
  },
  { name: 'business.name', description: 'The name of the business.', example: 'Linen & Co' },
  {
    name: 'entry.<blockId>',
    description: 'The value of another field of the entry. entry.id and entry.locale also work.',
    example: 'entry.title',
  },
];

/** Returns the value of a variable as a plain-text template, or null if the variable is unknown or empty. */
export type Lookup = (variable: string) => Template | null;

/** Unambiguous, so matching takes linear time. */
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
 * Inserts known values and keeps the placeholders of recipient variables. Calls `unknown` for each variable without a value.
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

/** Changes the fixed text and keeps the placeholders. */
export const mapText = (template: Template, change: (text: string) => string): Template =>
  template.map((part) => (typeof part === 'string' ? change(part) : part));

export const escapeTemplate = (template: Template) => mapText(template, escapeHtml);

/** Merges adjacent texts. */
export function join(parts: Template): Template {
  const joined: (string | { readonly variable: string })[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
    else if (part !== '') joined.push(part);
  }
  return joined;
}

export const isUsed = (template: Template, variable: string) =>
  template.some((part) => typeof part !== 'string' && part.variable === variable);

export const isBlank = (template: Template) => template.every((part) => typeof part === 'string' && part.trim() === '');
