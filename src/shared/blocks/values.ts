import { isRecord } from '../is-record.ts';
import { isLocale } from '../text/locales.ts';
import { counted } from '../text/phrases.ts';
import { type BlockType, type Checking, type Findings, MAX_LOCALES, report, targetOf } from './block-schemas.ts';
import {
  MAX_TEXT,
  type NumberSettings,
  type OptionSettings,
  optionValues,
  type RelationshipSettings,
  type TextSettings,
} from './settings.ts';

/** Reports errors in a value and returns it cleaned. Never called for null or missing values. */
export type CheckValue = (value: unknown, field: string, findings: Checking) => unknown;

const MAX_ITEMS = 1000;
const EARLIEST_SECONDS = -62_135_596_800;
const LATEST_SECONDS = 253_402_300_799;

/** The check of one block's values. The settings have passed `checkSettings`. */
export function valueCheck(type: BlockType, settings: Record<string, unknown> = {}): CheckValue {
  switch (type) {
    case 'TEXT':
      return textCheck(settings);
    case 'NUMBER':
      return numberCheck(settings);
    case 'BOOLEAN':
      return checkBoolean;
    case 'DATE':
      return checkDate;
    case 'GEO_LOCATION':
      return checkPlace;
    case 'MEDIA':
      return checkMedia;
    case 'RELATIONSHIP':
      return relationshipCheck(settings);
    case 'SELECT':
      return optionCheck(settings);
    case 'MULTI_SELECT':
      return setCheck(optionCheck(settings));
  }
}

/** True if a required value counts as missing. */
export function isEmpty(type: BlockType, value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return type === 'TEXT' && isRecord(value) && Object.values(value).every((text) => text === '');
}

function textCheck({ minLength = 0, maxLength = MAX_TEXT, variant }: TextSettings): CheckValue {
  function checkOne(value: unknown, field: string, findings: Checking): unknown {
    if (typeof value !== 'string') return wrongType(value, field, findings, 'string');
    if (value.length > 2 * MAX_TEXT) return tooLong(value, field, findings, maxLength);
    const text = variant === 'HTML' ? findings.sanitize(value) : value;
    if (text === null) {
      report(findings, field, 'INVALID_FORMAT', 'is nested too deeply.');
      return value;
    }
    const length = countCharacters(text);
    if (length > maxLength) tooLong(value, field, findings, maxLength);
    if (length < minLength)
      report(findings, field, 'TOO_SHORT', `must have at least ${counted(minLength, 'character')}.`);
    return text;
  }
  return (value, field, findings) => {
    if (!isRecord(value)) return checkOne(value, field, findings);
    if (Object.keys(value).length > MAX_LOCALES) {
      report(findings, field, 'TOO_LONG', `must have at most ${MAX_LOCALES} locales.`);
      return value;
    }
    return Object.fromEntries(
      Object.entries(value).map(([locale, text]) => {
        const at = `${field}.${locale.slice(0, 64)}`;
        if (!isLocale(locale)) report(findings, at, 'INVALID_FORMAT', 'must be a locale such as en or pt-BR.');
        return [locale, checkOne(text, at, findings)];
      }),
    );
  };
}

function tooLong(value: unknown, field: string, findings: Findings, maxLength: number): unknown {
  report(findings, field, 'TOO_LONG', `must have at most ${counted(maxLength, 'character')}.`);
  return value;
}

/** Characters, not UTF-16 units. */
function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff) count--;
  }
  return count;
}

function numberCheck({ min = -Infinity, max = Infinity, integer = false }: NumberSettings): CheckValue {
  return (value, field, findings) => {
    if (typeof value !== 'number') return wrongType(value, field, findings, 'number');
    if (integer && Number.isFinite(value) && !Number.isInteger(value)) {
      return wrongType(value, field, findings, 'integer');
    }
    if (!Number.isFinite(value)) report(findings, field, 'OUT_OF_RANGE', 'is too large.');
    else if (value < min) report(findings, field, 'OUT_OF_RANGE', `must be at least ${min}.`);
    else if (value > max) report(findings, field, 'OUT_OF_RANGE', `must be at most ${max}.`);
    return value;
  };
}

function checkBoolean(value: unknown, field: string, findings: Findings): unknown {
  return typeof value === 'boolean' ? value : wrongType(value, field, findings, 'boolean');
}

function checkDate(value: unknown, field: string, findings: Findings): unknown {
  if (!Number.isInteger(value)) return wrongType(value, field, findings, 'integer (Unix seconds)');
  if ((value as number) < EARLIEST_SECONDS || (value as number) > LATEST_SECONDS) {
    report(findings, field, 'OUT_OF_RANGE', 'must be a Unix time in seconds between the years 1 and 9999.');
  }
  return value;
}

function checkPlace(value: unknown, field: string, findings: Findings): unknown {
  if (!isRecord(value)) return wrongType(value, field, findings, 'object {latitude, longitude}');
  const coordinate = (name: string, max: number) => {
    const number = value[name];
    const at = `${field}.${name}`;
    if (number === undefined || number === null) report(findings, at, 'REQUIRED', 'is required.');
    else if (typeof number !== 'number') wrongType(number, at, findings, 'number');
    else if (number < -max || number > max) report(findings, at, 'OUT_OF_RANGE', `must be between -${max} and ${max}.`);
    return number;
  };
  return { latitude: coordinate('latitude', 90), longitude: coordinate('longitude', 180) };
}

function checkMedia(value: unknown, field: string, findings: Checking): unknown {
  if (!Array.isArray(value)) return checkMediaItem(value, field, findings);
  return checkItems(value, field, findings, checkMediaItem);
}

/** An item without a URL is a file of the media library, given as its ID or as `{id}`. */
function checkMediaItem(given: unknown, field: string, findings: Findings): unknown {
  const value = typeof given === 'string' ? { id: given } : given;
  if (!isRecord(value)) return wrongType(value, field, findings, 'object {id, url, mimeType}');
  const [id, url, mimeType] = [value.id, value.url, value.mimeType].map((part) => part ?? undefined);
  const before = findings.errors.length;
  if (url !== undefined) checkPattern(url, `${field}.url`, findings, /^(https?:\/\/|\/)\S*$/, 2000);
  else if (id === undefined) report(findings, `${field}.url`, 'REQUIRED', 'is required.');
  if (id !== undefined) checkPattern(id, `${field}.id`, findings, /^[A-Za-z0-9_.:-]+$/, 64);
  if (mimeType !== undefined) checkPattern(mimeType, `${field}.mimeType`, findings, /^[a-z]+\/[A-Za-z0-9.+-]+$/, 100);
  if (url === undefined && findings.errors.length === before) {
    findings.references.push({ targetType: 'MEDIA', id: id as string, field: `${field}.id` });
  }
  return {
    ...(id === undefined ? {} : { id }),
    ...(url === undefined ? {} : { url }),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}

function relationshipCheck({ targetType, many = false }: RelationshipSettings): CheckValue {
  const checkOne: CheckValue = (value, field, findings) => {
    const before = findings.errors.length;
    checkPattern(value, field, findings, /^[^\s]+$/, 64);
    if (findings.errors.length > before) return value;
    const target = targetType ?? targetOf(value as string);
    if (target) findings.references.push({ targetType: target, id: value as string, field });
    else report(findings, field, 'NOT_FOUND', 'is not the ID of a record in this business.');
    return value;
  };
  return many ? setCheck(checkOne) : checkOne;
}

function optionCheck(settings: OptionSettings): CheckValue {
  const options = settings.options ? new Set(optionValues(settings)) : null;
  return (value, field, findings) => {
    if (typeof value !== 'string') return wrongType(value, field, findings, 'string');
    if (options ? !options.has(value) : value.length > 200)
      report(findings, field, 'INVALID_VALUE', 'is not one of the options.');
    return value;
  };
}

/** An array without duplicates. */
function setCheck(checkOne: CheckValue): CheckValue {
  return (value, field, findings) => {
    if (!Array.isArray(value)) return wrongType(value, field, findings, 'array');
    const seen = new Set<unknown>();
    return checkItems(value, field, findings, (item, at) => {
      if (seen.has(item)) report(findings, at, 'DUPLICATE', 'is a duplicate.');
      else checkOne(item, at, findings);
      seen.add(item);
      return item;
    });
  };
}

function checkItems(items: unknown[], field: string, findings: Checking, checkOne: CheckValue): unknown[] {
  if (items.length > MAX_ITEMS) {
    report(findings, field, 'TOO_LONG', `must have at most ${MAX_ITEMS} items.`);
    return items;
  }
  return items.map((item, i) => checkOne(item, `${field}[${i}]`, findings));
}

function checkPattern(value: unknown, field: string, findings: Findings, pattern: RegExp, maxLength: number): void {
  if (typeof value !== 'string') wrongType(value, field, findings, 'string');
  else if (value === '') report(findings, field, 'TOO_SHORT', 'must have at least 1 character.');
  else if (value.length > maxLength)
    report(findings, field, 'TOO_LONG', `must have at most ${counted(maxLength, 'character')}.`);
  else if (!pattern.test(value)) report(findings, field, 'INVALID_FORMAT', 'contains characters that are not allowed.');
}

function wrongType(value: unknown, field: string, findings: Findings, type: string): unknown {
  report(findings, field, 'INVALID_TYPE', `must be of type ${type}.`);
  return value;
}
