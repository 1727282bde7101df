/** Computes the differences between two versions of a record, field by field. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { currentStatus } from '../../shared/records/status-history.ts';
import type { StatusEntry } from '../../shared/records/status-schemas.ts';

type FieldChange = { field: string; before?: unknown; after?: unknown; omitted?: true };

/** Beyond this total size, values are omitted but their fields are still listed. */
const MAX_BYTES = 256 * 1024;
const MAX_CHANGES = 1000;
/** Maximum number of changed field names stored with a version. */
const MAX_CHANGED = 100;

const NOT_CONTENT = new Set(['id', 'businessId', 'createdAt', 'updatedAt', 'scheduled', 'hasDraft']);

type Part = Record<string, unknown> & { id: string };

/**
 * Flattens a record into fields: `name`, `blocks.title`, `blocks.title.de`, `variants.m.pricing`, `status`. The fields
 * `blocks` and `variants` hold the order of their items. Quantities are not versioned.
 */
function fieldsOf(record: object): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    if (NOT_CONTENT.has(name)) continue;
    if (name === 'statuses') fields.set('status', currentStatus(value as StatusEntry[]));
    else if (name === 'blocks') addBlocks(fields, value as Part[]);
    else if (name === 'variants') addVariants(fields, value as Part[]);
    else fields.set(name, value);
  }
  return fields;
}

function addBlocks(fields: Map<string, unknown>, blocks: readonly Part[]): void {
  fields.set('blocks', idsOf(blocks));
  for (const { id, type, value } of blocks) {
    const isByLocale = type === 'TEXT' && typeof value === 'object' && value !== null;
    if (!isByLocale) fields.set(`blocks.${id}`, value ?? null);
    else for (const [locale, text] of Object.entries(value)) fields.set(`blocks.${id}.${locale}`, text);
  }
}

function addVariants(fields: Map<string, unknown>, variants: readonly Part[]): void {
  fields.set('variants', idsOf(variants));
  for (const { id, inventory, ...rest } of variants) {
    const { quantity: _, ...kept } = (inventory ?? {}) as { quantity?: number };
    for (const [name, value] of Object.entries({ ...rest, inventory: kept }))
      fields.set(`variants.${id}.${name}`, value);
  }
}

const idsOf = (parts: readonly Part[]) => parts.map(({ id }) => id);

export function diffOf(before: object, after: object): FieldChange[] {
  const [old, now] = [fieldsOf(before), fieldsOf(after)];
  const changes: FieldChange[] = [];
  let bytes = 0;
  for (const field of new Set([...old.keys(), ...now.keys()])) {
    if (changes.length === MAX_CHANGES) break;
    const change: FieldChange = { field, ...valueIn(old, field, 'before'), ...valueIn(now, field, 'after') };
    if (isDeepStrictEqual(change.before, change.after)) continue;
    bytes += Buffer.byteLength(JSON.stringify(change));
    changes.push(bytes > MAX_BYTES ? { field, omitted: true } : change);
  }
  return changes;
}

const valueIn = (fields: Map<string, unknown>, field: string, name: string) =>
  fields.has(field) ? { [name]: fields.get(field) } : {};

/** The names of the changed fields only. */
export const changedFields = (before: object, after: object): string[] =>
  diffOf(before, after)
    .slice(0, MAX_CHANGED)
    .map(({ field }) => field);
