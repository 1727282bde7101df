import type { FieldError } from '../../../shared/errors.ts';
import { isTimeZone } from '../../businesses/index.ts';

export const MAX_NAME = 80;

/** Names appear in emails from the business, but strangers can enter them, so they must not contain a message or a link. */
export function checkSubscriberName(name: string | undefined): FieldError[] {
  if (name === undefined || !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]|:\/\/|www\./iu.test(name)) return [];
  return [{ field: 'name', error: 'INVALID_VALUE', message: 'name must be one line of text without a URL.' }];
}

const MAX_LABELS = 50;
const MAX_TAG = 50;
const MAX_VALUE = 200;

/** Checks tags and fields that no request schema has validated. */
export function checkLabels(tags: readonly unknown[], fields: Readonly<Record<string, unknown>>): FieldError[] {
  const isTag = (tag: unknown) =>
    typeof tag === 'string' && tag !== '' && tag.length <= MAX_TAG && !/\p{Cc}/u.test(tag);
  const isField = ([name, value]: [string, unknown]) =>
    /^[A-Za-z0-9_-]{1,64}$/.test(name) && typeof value === 'string' && value.length <= MAX_VALUE;
  const errors: FieldError[] = [];
  if (tags.length > MAX_LABELS || !tags.every(isTag)) {
    const message = `tags must have at most ${MAX_LABELS} items of up to ${MAX_TAG} characters.`;
    errors.push({ field: 'tags', error: 'INVALID_VALUE', message });
  }
  if (Object.keys(fields).length > MAX_LABELS || !Object.entries(fields).every(isField)) {
    const message = `fields must have at most ${MAX_LABELS} values of up to ${MAX_VALUE} characters. Names can have letters, digits, _ and -.`;
    errors.push({ field: 'fields', error: 'INVALID_VALUE', message });
  }
  return errors;
}

export function checkSubscriberZone(timeZone: string | null | undefined): FieldError[] {
  if (timeZone === undefined || timeZone === null || isTimeZone(timeZone)) return [];
  return [{ field: 'timeZone', error: 'INVALID_VALUE', message: 'timeZone must be an IANA time zone.' }];
}

/** In lower case, each once, sorted. */
export const tagsOf = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.toLowerCase()))].sort();
