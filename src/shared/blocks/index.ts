/**
 * Blocks: typed values with an ID. A **definition** describes the value of a block; a **schema** is a list of definitions (of a
 * collection, or of an order's custom fields). Everything here is pure: it accepts any input, reports every invalid field and
 * returns cleaned values with sanitized rich text.
 */

import type { FieldError } from '../errors.ts';
import { isRecord } from '../is-record.ts';
import {
  BLOCK_TYPES,
  type BlockDefinition,
  type BlockType,
  type BlockValue,
  type Checking,
  type Findings,
  MAX_BLOCKS,
  report,
  type Sanitize,
} from './block-schemas.ts';
import { sanitizeHtml } from './html.ts';
import { checkSettings, type OptionSettings, optionValues } from './settings.ts';
import { type CheckValue, isEmpty, valueCheck } from './values.ts';

export {
  Block,
  BlockDefinition,
  BlockInput,
  type BlockType,
  type BlockValue,
  EntryBlock,
  MAX_BLOCKS,
  type Reference,
  type Sanitize,
  type TargetType,
} from './block-schemas.ts';
export {
  isQuick,
  isTextsChangedError,
  NOTHING_PREPARED,
  type PreparedTexts,
  preparedTexts,
  prepareTexts,
} from './prepared-texts.ts';
export type { ProcessedText } from './process-texts.ts';

/** The values that a SELECT or MULTI_SELECT offers. */
export const optionsOf = ({ settings }: BlockDefinition): string[] => optionValues((settings ?? {}) as OptionSettings);

export type CheckedBlocks = Findings & { blocks: BlockValue[] };

/** How to sanitize rich text: `AS_IS` to only look for errors, or prepared texts if values may be long. */
type CheckOptions = { sanitize?: Sanitize };

export const AS_IS: Sanitize = (text) => text;

/** Checks values against a schema. In a `draft`, required values may be missing. */
export type BlockSchemaCheck = (
  blocks: unknown,
  field?: string,
  options?: CheckOptions & { draft?: boolean },
) => CheckedBlocks;

/** Checks blocks without a schema (of products and orders), each against its own type and settings. */
export function checkBlocks(blocks: unknown, field = 'blocks', { sanitize }: CheckOptions = {}): CheckedBlocks {
  const checked = start(sanitize);
  eachBlock(blocks, field, checked, (block, at) => {
    if (!checkDefinition(block, at, checked, false)) return;
    const { id, type, label, required, settings, value } = block as BlockValue;
    const check = valueCheck(type, settings);
    checked.blocks.push({
      id,
      type,
      ...(label === undefined ? {} : { label }),
      ...(required === undefined ? {} : { required }),
      ...(settings === undefined ? {} : { settings }),
      value: cleanValue(type, check, value, `${at}.value`, checked, required === true),
    });
  });
  return checked;
}

/** Checks a schema itself. */
export function checkBlockSchema(definitions: unknown, field = 'blocks'): FieldError[] {
  return checkDefinitions(definitions, field, true);
}

/** Checks definitions that may be incomplete, such as a SELECT without options. */
export function checkBlockSettings(definitions: unknown): FieldError[] {
  return checkDefinitions(definitions, 'blocks', false);
}

function checkDefinitions(definitions: unknown, field: string, complete: boolean): FieldError[] {
  const checked = start();
  eachBlock(definitions, field, checked, (block, at) => checkDefinition(block, at, checked, complete));
  return checked.errors;
}

/** Compiles a schema that has passed `checkBlockSchema`. Cache the result until the schema changes. */
export function compileBlockSchema(definitions: readonly BlockDefinition[]): BlockSchemaCheck {
  const compiled = new Map(
    definitions.map(({ id, type, required = false, settings }) => [
      id,
      { type, required, check: valueCheck(type, settings) },
    ]),
  );
  return (blocks, field = 'blocks', { draft = false, sanitize } = {}) => {
    const checked = start(sanitize);
    const given = new Set<unknown>();
    eachBlock(blocks, field, checked, (block, at) => {
      given.add(block.id);
      const definition = compiled.get(block.id as string);
      if (!definition) return report(checked, `${at}.id`, 'UNKNOWN_BLOCK', 'is not in the schema.');
      const { type, required, check } = definition;
      if (block.type !== undefined && block.type !== type) {
        report(checked, `${at}.type`, 'INVALID_VALUE', `must be ${type} to match the schema.`);
        return;
      }
      const value = cleanValue(type, check, block.value, `${at}.value`, checked, required && !draft);
      checked.blocks.push({ id: block.id as string, type, value });
    });
    if (!draft) {
      for (const [id, { required }] of compiled) {
        if (required && !given.has(id)) report(checked, `${field}.${id}`, 'REQUIRED', 'is required.');
      }
    }
    return checked;
  };
}

const start = (sanitize: Sanitize = sanitizeHtml): CheckedBlocks & Checking => ({
  blocks: [],
  errors: [],
  references: [],
  sanitize,
});

/** Calls `check` for every object with a unique ID and reports all other entries. */
function eachBlock(
  blocks: unknown,
  field: string,
  findings: Findings,
  check: (block: Record<string, unknown>, at: string) => void,
): void {
  if (!Array.isArray(blocks)) {
    report(findings, field, 'INVALID_TYPE', 'must be of type array.');
    return;
  }
  if (blocks.length > MAX_BLOCKS) {
    report(findings, field, 'TOO_LONG', `must have at most ${MAX_BLOCKS} items.`);
    return;
  }
  const ids = new Set<unknown>();
  for (const [i, block] of blocks.entries()) {
    const at = `${field}[${i}]`;
    if (!isRecord(block)) report(findings, at, 'INVALID_TYPE', 'must be of type object.');
    else if (block.id === undefined) report(findings, `${at}.id`, 'REQUIRED', 'is required.');
    else if (typeof block.id !== 'string') report(findings, `${at}.id`, 'INVALID_TYPE', 'must be of type string.');
    else if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(block.id)) {
      report(
        findings,
        `${at}.id`,
        'INVALID_FORMAT',
        'must be 1 to 64 characters long and contain only A-Z, a-z, 0-9, _, ., : and -.',
      );
    } else if (ids.has(block.id)) report(findings, `${at}.id`, 'DUPLICATE', 'is already used by another block.');
    else {
      ids.add(block.id);
      check(block, at);
    }
  }
}

/** Checks a block except its ID and value. Returns true if the value can be checked. */
function checkDefinition(
  block: Record<string, unknown>,
  at: string,
  findings: Findings,
  complete: boolean,
): block is Record<string, unknown> & BlockDefinition {
  const before = findings.errors.length;
  const { type, label, required, settings } = block;
  if (label !== undefined && typeof label !== 'string') {
    report(findings, `${at}.label`, 'INVALID_TYPE', 'must be of type string.');
  } else if (label !== undefined && label.length > 200) {
    report(findings, `${at}.label`, 'TOO_LONG', 'must have at most 200 characters.');
  }
  if (required !== undefined && typeof required !== 'boolean') {
    report(findings, `${at}.required`, 'INVALID_TYPE', 'must be of type boolean.');
  }
  if (type === undefined) report(findings, `${at}.type`, 'REQUIRED', 'is required.');
  else if (!BLOCK_TYPES.includes(type as BlockType)) {
    report(findings, `${at}.type`, 'INVALID_VALUE', `must be one of ${BLOCK_TYPES.join(', ')}.`);
  } else checkSettings(type as BlockType, settings, `${at}.settings`, findings, complete);
  return findings.errors.length === before;
}

/** A missing value becomes null. A required value must not be empty, even after cleaning. */
function cleanValue(
  type: BlockType,
  check: CheckValue,
  value: unknown,
  field: string,
  findings: Checking,
  required: boolean,
): unknown {
  const isMissing = required && isEmpty(type, value);
  const clean = value === undefined || value === null || isMissing ? null : check(value, field, findings);
  if (required && isEmpty(type, clean)) report(findings, field, 'REQUIRED', 'is required.');
  return clean;
}
