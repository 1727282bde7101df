/** Text with `{{variables}}`. Pure. */
import { escapeHtml } from '../text/escape.ts';

/** Text with placeholders: fixed parts, and variable names between them. */
export type Template = readonly (string | { readonly variable: string })[];

/** Returns the value of a variable as a plain-text template, or null if the variable is unknown or empty. */
export type Lookup = (variable: string) => Template | null;

/** Unambiguous, so matching takes linear time. */
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/** Splits text at its `{{variables}}`. */
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

/** Fills in a value for each placeholder. */
export function fill(template: Template, value: (variable: string) => string): string {
  let text = '';
  for (const part of template) text += typeof part === 'string' ? part : value(part.variable);
  return text;
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

/** Merges adjacent strings. */
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

export const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ');
