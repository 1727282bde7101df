import { isRecord } from '../is-record.ts';
import { oneOf } from '../text/phrases.ts';
import { type BlockType, type Findings, report, TARGET_TYPES, type TargetType } from './block-schemas.ts';

export const MAX_TEXT = 500_000;
const MAX_OPTIONS = 1000;
const MAX_OPTION = 200;

export type TextSettings = { minLength?: number; maxLength?: number; variant?: 'PLAIN' | 'HTML' };
export type NumberSettings = { min?: number; max?: number; integer?: boolean };
export type RelationshipSettings = { targetType?: TargetType; many?: boolean };
export type OptionSettings = { options?: (string | { value: string; label?: string })[] };

type CheckSettings = (settings: Record<string, unknown>, field: string, findings: Findings, complete: boolean) => void;

const BY_TYPE: Partial<Record<BlockType, CheckSettings>> = {
  TEXT(settings, field, findings) {
    checkInteger(settings, 'minLength', field, findings);
    checkInteger(settings, 'maxLength', field, findings);
    checkOrder(settings, 'minLength', 'maxLength', field, findings);
    checkChoice(settings, 'variant', ['PLAIN', 'HTML'], field, findings);
  },
  NUMBER(settings, field, findings) {
    for (const name of ['min', 'max']) {
      const value = settings[name];
      if (value !== undefined && !Number.isFinite(value)) {
        report(findings, `${field}.${name}`, 'INVALID_TYPE', 'must be a number.');
      }
    }
    checkOrder(settings, 'min', 'max', field, findings);
    checkBoolean(settings, 'integer', field, findings);
  },
  RELATIONSHIP(settings, field, findings) {
    checkChoice(settings, 'targetType', TARGET_TYPES, field, findings);
    checkBoolean(settings, 'many', field, findings);
  },
  SELECT: checkOptions,
  MULTI_SELECT: checkOptions,
};

/**
 * Checks the settings of the type and keeps unknown ones unchanged. With `complete`, settings required to check values must be
 * present, as in a collection's schema.
 */
export function checkSettings(
  type: BlockType,
  settings: unknown,
  field: string,
  findings: Findings,
  complete: boolean,
): void {
  if (settings === undefined || isRecord(settings)) BY_TYPE[type]?.(settings ?? {}, field, findings, complete);
  else report(findings, field, 'INVALID_TYPE', 'must be of type object.');
}

/** The values of the options, with or without labels. */
export const optionValues = ({ options = [] }: OptionSettings): string[] =>
  options.map((option) => (typeof option === 'string' ? option : option.value));

function checkOptions(settings: Record<string, unknown>, field: string, findings: Findings, complete: boolean): void {
  const at = `${field}.options`;
  const { options } = settings;
  if (options === undefined) {
    if (complete) report(findings, at, 'REQUIRED', 'is required.');
  } else if (!Array.isArray(options)) report(findings, at, 'INVALID_TYPE', 'must be of type array.');
  else if (options.length === 0) report(findings, at, 'TOO_SHORT', 'must have at least 1 item.');
  else if (options.length > MAX_OPTIONS) report(findings, at, 'TOO_LONG', `must have at most ${MAX_OPTIONS} items.`);
  else {
    const seen = new Set<string>();
    for (const [i, option] of options.entries()) checkOption(option, `${at}[${i}]`, seen, findings);
  }
}

function checkOption(option: unknown, field: string, seen: Set<string>, findings: Findings): void {
  if (isRecord(option) && option.label !== undefined && typeof option.label !== 'string') {
    report(findings, `${field}.label`, 'INVALID_TYPE', 'must be of type string.');
  }
  const at = isRecord(option) ? `${field}.value` : field;
  const value = isRecord(option) ? option.value : option;
  if (isRecord(option) && value === undefined) report(findings, at, 'REQUIRED', 'is required.');
  else if (typeof value !== 'string') report(findings, at, 'INVALID_TYPE', 'must be of type string.');
  else if (value === '') report(findings, at, 'TOO_SHORT', 'must have at least 1 character.');
  else if (value.length > MAX_OPTION) report(findings, at, 'TOO_LONG', `must have at most ${MAX_OPTION} characters.`);
  else if (seen.has(value)) report(findings, at, 'DUPLICATE', 'is a duplicate of another option.');
  else seen.add(value);
}

function checkInteger(settings: Record<string, unknown>, name: string, field: string, findings: Findings): void {
  const value = settings[name];
  if (value === undefined) return;
  const at = `${field}.${name}`;
  if (!Number.isInteger(value)) report(findings, at, 'INVALID_TYPE', 'must be of type integer.');
  else if ((value as number) < 0 || (value as number) > MAX_TEXT) {
    report(findings, at, 'OUT_OF_RANGE', `must be between 0 and ${MAX_TEXT}.`);
  }
}

function checkOrder(settings: Record<string, unknown>, low: string, high: string, field: string, findings: Findings) {
  const [min, max] = [settings[low], settings[high]];
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    report(findings, `${field}.${low}`, 'OUT_OF_RANGE', `must not be greater than ${high}.`);
  }
}

function checkChoice(
  settings: Record<string, unknown>,
  name: string,
  allowed: readonly string[],
  field: string,
  findings: Findings,
): void {
  const value = settings[name];
  if (value === undefined || allowed.includes(value as string)) return;
  report(findings, `${field}.${name}`, 'INVALID_VALUE', `must be ${oneOf(allowed)}.`);
}

function checkBoolean(settings: Record<string, unknown>, name: string, field: string, findings: Findings): void {
  const value = settings[name];
  if (value === undefined || typeof value === 'boolean') return;
  report(findings, `${field}.${name}`, 'INVALID_TYPE', 'must be of type boolean.');
}
