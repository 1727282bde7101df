/** What the query string of a list of entries asks for. Pure. */
import type { BlockDefinition, BlockType } from '../../../shared/blocks.ts';
import type { FieldError } from '../../../shared/errors.ts';
import { keysOfText, UPDATED_AT } from './index-values.ts';
import type { ValueFilter } from './list-queries.ts';
import type { EntryQuery } from './schemas.ts';

const MAX_FILTERS = 10;
const MAX_VALUES = 100;
const SORTABLE: readonly BlockType[] = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'SELECT', 'RELATIONSHIP'];

/** `blockId` null: by age. */
export type Sort = { blockId: string | null; descending: boolean };

export const hasFilters = (query: EntryQuery) => Object.keys(query).some((name) => name.startsWith('filter['));

/** Types whose values hold no comma: `filter[blockId]=a,b` names two of them. */
const SPLIT: readonly (BlockType | undefined)[] = [
  'NUMBER',
  'DATE',
  'BOOLEAN',
  'SELECT',
  'MULTI_SELECT',
  'RELATIONSHIP',
];
/** Without a schema only what plainly is a list of numbers or of our ids is one. */
const PLAIN_LIST = /^(-?\d+(\.\d+)?|[a-z]+_[0-9a-z]{26})(,(-?\d+(\.\d+)?|[a-z]+_[0-9a-z]{26}))+$/;

/** `filter[blockId]=value`, repeated or with `[]` for several, and with commas where the values of the block hold none. */
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
      if (name.startsWith('filter[')) errors.push(wrong(name.slice(0, 80), 'INVALID_FORMAT', 'names no block.'));
      continue;
    }
    const values = [value].flat().flatMap((text) => valuesOf(blockId, String(text)));
    if (values.length > MAX_VALUES) errors.push(wrong(name, 'TOO_LONG', `may name at most ${MAX_VALUES} values.`));
    filters.push({ blockId, keys: values.flatMap(keysOfText) });
  }
  if (filters.length > MAX_FILTERS) errors.push(wrong('filter', 'TOO_LONG', `may name at most ${MAX_FILTERS} blocks.`));
  return filters;
}

/** Times begin with the newest, blocks with the smallest, unless said otherwise. */
export function readSort({ sortField = 'createdAt', sort = sortField, ...query }: EntryQuery): Sort {
  const [, sign, name] = /^([-+ ]?)(.*)$/.exec(sort)!;
  const isTime = name === 'createdAt' || name === 'updatedAt';
  const blockId = name === 'createdAt' ? null : name === 'updatedAt' ? UPDATED_AT : name!;
  const order = query.order ?? query.sortDirection?.toLowerCase();
  const direction = order ?? (sign === '-' ? 'desc' : sign ? 'asc' : isTime ? 'desc' : 'asc');
  return { blockId, descending: direction === 'desc' };
}

/** What is wrong with filters and sort order, given the collection's schema. */
export function checkBlockIds(
  blocks: readonly BlockDefinition[],
  filters: readonly ValueFilter[],
  { blockId }: Sort,
): FieldError[] {
  const types = new Map(blocks.map(({ id, type, settings }) => [id, settings?.many ? null : type]));
  const errors = filters
    .filter((filter) => !types.has(filter.blockId))
    .map((filter) => wrong(`filter[${filter.blockId}]`, 'UNKNOWN_BLOCK', 'is not a block of the collection.'));
  if (blockId === null || blockId === UPDATED_AT) return errors;
  const type = types.get(blockId);
  if (type === undefined) errors.push(wrong('sort', 'UNKNOWN_BLOCK', 'is not a block of the collection.'));
  else if (type === null || !SORTABLE.includes(type))
    errors.push(wrong('sort', 'INVALID_VALUE', 'cannot be sorted by.'));
  return errors;
}

const wrong = (field: string, error: string, message: string): FieldError => ({
  field,
  error,
  message: `${field} ${message}`,
});
