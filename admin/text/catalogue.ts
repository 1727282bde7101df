/** The keys of all strings. English defines them; a translation with a missing key does not compile. */
import type { en } from './en/index.ts';

type English = typeof en;

export type Catalogue = { [Room in keyof English]: Record<keyof English[Room], string> };

export type TextKey = { [Room in keyof English]: `${Room}.${keyof English[Room] & string}` }[keyof English];
