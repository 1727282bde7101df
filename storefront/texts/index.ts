import { de } from './de.ts';
import { en, type Texts } from './en.ts';

export type { Texts } from './en.ts';

const CATALOGUES: Record<string, Texts> = { en, de };

/** The catalogue of a language, or English. */
export const textsOf = (locale: string): Texts => CATALOGUES[locale.split(/[-_]/)[0]!.toLowerCase()] ?? en;

/** Languages with a catalogue. */
export const LANGUAGES = Object.keys(CATALOGUES);
