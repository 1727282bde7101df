/** Parses the query string of an entry list. Pure. */
import type { BlockDefinition, BlockType } from '../../../../shared/blocks/index.ts';
import type { FieldError } from '../../../../shared/errors.ts';
import { keysOfText, UPDATED_AT } from '../index-values.ts';
import type { EntryQuery } from '../schemas.ts';
import type { ValueFilter } from './list-queries.ts';

const MAX_FILTERS = 10;
const MAX_VALUES = 100;
const SORTABLE: readonly BlockType[] = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'RELATIONSHIP'];

/** A null `blockId` sorts by age. */
export type Sort = { blockId: string | null; descending: boolean };

export const hasFilters = (query: EntryQuery) => Object.keys(query).some((name) => name.startsWith('filter['));

/** Types whose values never contain commas: `filter[blockId]=a,b` lists two values. */
const SPLIT: readonly (BlockType | undefined)[] = [
  'NUMBER',
  'DATE',
  'BOOLEAN',
  'SELECT',
  'MULTI_SELECT',
  'RELATIONSHIP',
];
/** Without a schema, only lists that are clearly numbers or IDs are split. */
const PLAIN_LIST = /^(-?\d+(\.\d+)?|[a-z]+_[0-9a-z]{26})(,(-?\d+(\.\d+)?|[a-z]+_[0-9a-z]{26}))+$/;

/** Parses `filter[blockId]=value`. Several values: repeated, with `[]`, or comma-separated if the block's values have no commas. */
export function readFilters(
  query: EntryQuery,
  blocks: readonly BlockDefinition[] | null,
  errors: FieldError[],
): ValueFilter[] {
  const types = new Map(blocks?.map(({ id, type }) => [id, type]));
  const valuesOf = (blockId: string, text: string) =>
    (blocks ? SPLIT.includes(types.get(blockId)) : PLAIN_LIST.test(text)) ? text.split(',') : [text];
  const filters: ValueFilter[] = [];
  for (const [name, value] of Object.entries(query)) {
    const [, blockId] = /^filter\[([A-Za-z0-9_.:-]{1,64})\](?:\[\])?$/.exec(name) ?? [];
    if (blockId === undefined) {
      if (name.startsWith('filter['))
        errors.push(fieldError(name.slice(0, 80), 'INVALID_FORMAT', 'must be in the format filter[blockId].'));
      continue;
    }
    const values = [value].flat().flatMap((text) => valuesOf(blockId, String(text)));
    if (values.length > MAX_VALUES)
      errors.push(fieldError(name, 'TOO_LONG', `must have at most ${MAX_VALUES} values.`));
    filters.push({ blockId, keys: values.flatMap(keysOfText) });
  }
  if (filters.length > MAX_FILTERS)
    errors.push(fieldError('filter', 'TOO_LONG', `must have at most ${MAX_FILTERS} blocks.`));
  return filters;
}

/** By default, times sort newest first and blocks in ascending order. */
export function readSort({ sortField = 'createdAt', sort = sortField, ...query }: EntryQuery): Sort {
  const [, sign, name] = /^([-+ ]?)(.*)$/.exec(sort)!;
  const isTime = name === 'createdAt' || name === 'updatedAt';
  const blockId = name === 'createdAt' ? null : name === 'updatedAt' ? UPDATED_AT : name!;
  const order = query.order ?? query.sortDirection?.toLowerCase();
  const direction = order ?? (sign === '-' ? 'desc' : sign ? 'asc' : isTime ? 'desc' : 'asc');
  return { blockId, descending: direction === 'desc' };
}

/** Validates filters and sort order against the collection's schema. */
export function checkBlockIds(
  blocks: readonly BlockDefinition[],
  filters: readonly ValueFilter[],
  { blockId }: Sort,
): FieldError[] {
  const types = new Map(blocks.map(({ id, type, settings }) => [id, settings?.many ? null : type]));
  const errors = filters
    .filter((filter) => !types.has(filter.blockId))
    .map((filter) =>
      fieldError(`filter[${filter.blockId}]`, 'UNKNOWN_BLOCK', 'does not match a block in the collection.'),
    );
  if (blockId === null || blockId === UPDATED_AT) return errors;
  const type = types.get(blockId);
  if (type === undefined)
    errors.push(
      fieldError('sort', 'UNKNOWN_BLOCK', 'must be createdAt, updatedAt or the ID of a block in the collection.'),
    );
  else if (type === null || !SORTABLE.includes(type))
    errors.push(fieldError('sort', 'INVALID_VALUE', 'must be a sortable block with a single value.'));
  return errors;
}

const fieldError = (field: string, error: string, message: string): FieldError => ({
  field,
  error,
  message: `${field} ${message}`,
});
