/** The languages of pages. A new language is a file here. */
import type { FastifyRequest } from 'fastify';
import { acceptedLocales, type Language, languageOf } from '../../shared/mail/languages.ts';
import { de } from './de.ts';
import { en, type PageTexts } from './en.ts';

export type { PageTexts } from './en.ts';

const CATALOGS: Record<Language, PageTexts> = { en, de };

export const pageTexts = (language: Language): PageTexts => CATALOGS[language];

/** The language of a page whose record has none: the browser's most preferred language that has translations, or English. */
export const browserLanguage = ({ headers }: FastifyRequest): Language =>
  languageOf(...acceptedLocales(headers['accept-language'] ?? ''));
