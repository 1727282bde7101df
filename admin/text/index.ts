/**
 * All interface strings, by key: `t('orders.title')`. A section's strings are in `en/<section>.ts` and `de/<section>.ts`. `{name}` is
 * replaced by the value of that name; `count` chooses between the forms of `one|other`: `t('x.y', { count: 3 })`.
 */
import { signal } from '@preact/signals';
import type { Catalog, TextKey } from './catalog.ts';
import { en } from './en/index.ts';
import { sentences as english } from './en/sentences.ts';
import { readSentences, type Sentence, translate } from './sentences.ts';

export type { TextKey } from './catalog.ts';

type Values = Record<string, string | number>;

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'admin.language';
export const language = signal<Language>('en');
let catalog: Catalog = en;
/** Translations of the API's error codes. Empty for English, the language of the API. */
let serviceTexts: Readonly<Record<string, string>> = {};
/** Replacements for messages from the API. In English, only for those that are not written for merchants. */
let sentences: readonly Sentence[] = [];
let plurals = new Intl.PluralRules('en');

export function t(key: TextKey, values: Values = {}): string {
  // Subscribes the component to language changes.
  void language.value;
  const [section, name] = key.split('.') as [keyof Catalog, string];
  let text = (catalog[section] as Record<string, string>)[name] ?? key;
  if (typeof values.count === 'number' && text.includes('|')) {
    const [one = '', other = one] = text.split('|');
    text = plurals.select(values.count) === 'one' ? one : other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, each: string) => (each in values ? String(values[each]) : whole));
}

/** The text of a key built from data, such as a status, or `otherwise` if there is none. */
export function tOr(key: string, fallback: string): string {
  const text = t(key as TextKey);
  return text === key ? fallback : text;
}

/** The text of an API error: its message or its code, translated, or the API's own message. */
export function errorText({ error, message }: { error: string; message: string }): string {
  void language.value;
  return translate(sentences, message, { permission }) ?? serviceTexts[error] ?? message;
}

/** A message from the API that is not an error, such as a note on an import. */
export function serviceText(sentence: string): string {
  void language.value;
  return translate(sentences, sentence, { permission }) ?? sentence;
}

/** Codes such as "ORDER_READ or ORDER_WRITE" as the labels of the role form. */
function permission(codes: string): string {
  const labels = codes
    .split(' or ')
    .map((code) => t('settings.permissionLabel', { label: tOr(`settings.can_${code}`, code) }));
  return new Intl.ListFormat(language.value, { type: 'disjunction' }).format(labels);
}

export async function chooseLanguage(next: Language): Promise<void> {
  const other = next === 'de' ? await import('./de/index.ts') : null;
  catalog = other?.de ?? en;
  serviceTexts = other?.errors ?? {};
  sentences = readSentences(other?.sentences ?? english);
  plurals = new Intl.PluralRules(next);
  document.documentElement.lang = next;
  localStorage.setItem(KEY, next);
  language.value = next;
  // The server renders the skip link in English.
  const skip = document.querySelector('.skip');
  if (skip) skip.textContent = t('shell.skip');
}

/** Uses the saved language, or the browser's. */
export function startLanguage(): Promise<void> {
  const requested = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return chooseLanguage(requested in LANGUAGES ? (requested as Language) : 'en');
}

/** The locale for `Intl`: the browser's regional variant of the chosen language, if it has one. */
export const locale = () => navigator.languages.find((each) => each.startsWith(language.value)) ?? language.value;
