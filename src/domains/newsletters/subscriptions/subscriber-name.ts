import type { FieldError } from '../../../shared/errors.ts';
import { isTimeZone } from '../../businesses/index.ts';

export const MAX_NAME = 80;

/** Names appear in emails of the business, but strangers can enter them, so they must not contain a message or a link. */
export function checkSubscriberName(name: string | undefined): FieldError[] {
  if (name === undefined || !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]|:\/\/|www\./iu.test(name)) return [];
  return [{ field: 'name', error: 'INVALID_VALUE', message: 'name must be one line of text without a URL.' }];
}

export function checkSubscriberZone(timeZone: string | null | undefined): FieldError[] {
  if (timeZone === undefined || timeZone === null || isTimeZone(timeZone)) return [];
  return [{ field: 'timeZone', error: 'INVALID_VALUE', message: 'timeZone must be an IANA time zone.' }];
}

/** In lower case, each once, sorted. */
export const tagsOf = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.toLowerCase()))].sort();
