/** The keys of all strings. English defines them; a translation with a missing key does not compile. */
import type { en } from './en/index.ts';

type English = typeof en;

export type Catalog = { [Section in keyof English]: Record<keyof English[Section], string> };

export type TextKey = { [Section in keyof English]: `${Section}.${keyof English[Section] & string}` }[keyof English];
