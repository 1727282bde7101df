/**
 * Every text that people read, by key: `t('orders.title')`. A room's texts are in `en/<room>.ts` and `de/<room>.ts`; a key that one
 * language lacks does not compile. `{name}` is filled in from the values; of `one|other` the count decides: `t('x.y', { count: 3 })`.
 */
import { signal } from '@preact/signals';
import { en } from './en/index.ts';

type English = typeof en;
export type Catalogue = { [Room in keyof English]: Record<keyof English[Room], string> };
export type TextKey = { [Room in keyof English]: `${Room}.${keyof English[Room] & string}` }[keyof English];
type Values = Record<string, string | number>;

export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'admin.language';
export const language = signal<Language>('en');
let catalogue: Catalogue = en;
/** English it speaks itself. */
let serviceTexts: Readonly<Record<string, string>> = {};
let plurals = new Intl.PluralRules('en');

export function t(key: TextKey, values: Values = {}): string {
  // Read, so that what shows a text is shown again in another language.
  void language.value;
  const [room, name] = key.split('.') as [keyof Catalogue, string];
  let text = (catalogue[room] as Record<string, string>)[name] ?? key;
  if (typeof values.count === 'number' && text.includes('|')) {
    const [one = '', other = one] = text.split('|');
    text = plurals.select(values.count) === 'one' ? one : other;
  }
  return text.replace(/\{(\w+)\}/g, (whole, each: string) => (each in values ? String(values[each]) : whole));
}

/** The text of a key that is made from data, such as a status; the data itself where the catalogue has no such key. */
export function tOr(key: string, otherwise: string): string {
  const text = t(key as TextKey);
  return text === key ? otherwise : text;
}

/** What the service says, by its code where the language knows that: an error, or what is wrong with one field. */
export function said({ error, message }: { error: string; message: string }): string {
  void language.value;
  return serviceTexts[error] ?? message;
}

export async function chooseLanguage(next: Language): Promise<void> {
  const other = next === 'de' ? await import('./de/index.ts') : null;
  catalogue = other?.de ?? en;
  serviceTexts = other?.errors ?? {};
  plurals = new Intl.PluralRules(next);
  document.documentElement.lang = next;
  localStorage.setItem(KEY, next);
  language.value = next;
  // It stands in the page from the start, in English.
  const skip = document.querySelector('.skip');
  if (skip) skip.textContent = t('shell.skip');
}

/** The one that was chosen here before, or the browser's. */
export function startLanguage(): Promise<void> {
  const wanted = localStorage.getItem(KEY) ?? navigator.language.slice(0, 2);
  return chooseLanguage(wanted in LANGUAGES ? (wanted as Language) : 'en');
}

/** For `Intl`: the browser's own region where it speaks the chosen language. */
export const locale = () => navigator.languages.find((each) => each.startsWith(language.value)) ?? language.value;
