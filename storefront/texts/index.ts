import { de } from './de.ts';
import { en, type Texts } from './en.ts';

export type { Texts } from './en.ts';

const CATALOGS: Record<string, Texts> = { en, de };

/** The catalog of a language, or English. */
export const textsOf = (locale: string): Texts => CATALOGS[locale.split(/[-_]/)[0]!.toLowerCase()] ?? en;
