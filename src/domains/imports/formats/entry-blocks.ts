/** Fields of another system as the blocks of a collection. */
import type { BlockDefinition } from '../../../shared/blocks.ts';
import { derivedId } from '../../../shared/ids.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { EntryImport } from '../../content/index.ts';
import { type Conversion, isYes, type Outcome, type RowError, secondsOf, textOf, wrong } from './format.ts';

type BlockInput = NonNullable<EntryImport['input']['blocks']>[number];

const folded = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** `same`: further names of a field. Fields that no block has are left out; `fieldsWithoutBlock` names them. */
export function fillBlocks(
  row: number,
  fields: Record<string, unknown>,
  to: Conversion,
  same: Record<string, readonly string[]>,
): { blocks: BlockInput[]; errors: RowError[] } {
  const errors: RowError[] = [];
  if (!to.collection)
    return { blocks: [], errors: [wrong(row, 'collectionId', 'REQUIRED', 'Say with collectionId where entries go.')] };
  const byName = new Map(Object.entries(fields).map(([name, value]) => [folded(name), value]));
  for (const [field, names] of Object.entries(same)) {
    for (const name of names)
      if (!byName.has(folded(name)) && fields[field] !== undefined) byName.set(folded(name), fields[field]);
  }
  const blocks = to.collection.blocks.flatMap((block) => {
    const value = byName.get(folded(block.id)) ?? (block.label ? byName.get(folded(block.label)) : undefined);
    if (value === undefined) return [];
    const read = valueFor(block, value);
    if (read === undefined)
      errors.push(wrong(row, block.id, 'INVALID_TYPE', `${block.id} does not fit a block of type ${block.type}.`));
    return [{ id: block.id, type: block.type, value: read ?? null } as BlockInput];
  });
  return { blocks, errors };
}

/** Fields of a record that no block has and that are not `taken` otherwise. Empty ones are not missed. */
export function fieldsWithoutBlock(
  fields: Record<string, unknown>,
  to: Conversion,
  same: Record<string, readonly string[]>,
  taken: readonly string[],
): string[] {
  const blocks = new Set(to.collection?.blocks.flatMap(({ id, label }) => [folded(id), folded(label ?? '')]));
  return Object.entries(fields)
    .filter(([field, value]) => value !== null && value !== '' && !taken.includes(field))
    .map(([field]) => field)
    .filter((field) => ![field, ...(same[field] ?? [])].some((name) => blocks.has(folded(name))));
}

/** Undefined: it cannot be one. */
function valueFor({ type }: BlockDefinition, value: unknown): unknown {
  if (value === null || value === '') return null;
  switch (type) {
    case 'TEXT':
    case 'SELECT':
      return isRecord(value) && type === 'TEXT' ? value : Array.isArray(value) ? textOfBlocks(value) : textOf(value);
    case 'NUMBER':
      return typeof value === 'number'
        ? value
        : Number.isNaN(Number(textOf(value)))
          ? undefined
          : Number(textOf(value));
    case 'BOOLEAN':
      return typeof value === 'boolean' ? value : isYes(textOf(value));
    case 'DATE':
      return typeof value === 'number' ? value : secondsOf(textOf(value));
    case 'MEDIA':
      return Array.isArray(value) ? value.map(mediaOf).filter((item) => item !== null) : mediaOf(value);
    case 'MULTI_SELECT':
      return Array.isArray(value)
        ? value.map(textOf)
        : textOf(value)
            .split(',')
            .map((part) => part.trim());
    default:
      return value;
  }
}

/** Strapi's own rich text: paragraphs of texts. */
const textOfBlocks = (value: unknown[]): string =>
  value
    .map((each) =>
      isRecord(each)
        ? typeof each.text === 'string'
          ? each.text
          : textOfBlocks([each.children].flat())
        : textOf(each),
    )
    .join('\n');

function mediaOf(value: unknown): { url: string; mimeType?: string; alt?: string } | null {
  const inner =
    isRecord(value) && isRecord(value.data)
      ? isRecord(value.data.attributes)
        ? value.data.attributes
        : value.data
      : value;
  const url = isRecord(inner) ? textOf(inner.url) : textOf(inner);
  if (url === '') return null;
  const mimeType = isRecord(inner) ? textOf(inner.mime) : '';
  const alt = isRecord(inner) ? textOf(inner.alternativeText) : '';
  return { url, ...(mimeType === '' ? {} : { mimeType }), ...(alt === '' ? {} : { alt }) };
}

export function entryOf(
  row: number,
  entry: {
    /** What it is known by there; an id of ours is used as it is. */
    key?: string;
    id?: string;
    blocks: BlockInput[];
    locale?: string | undefined;
    status?: string | undefined;
    createdAt?: number | undefined;
  },
  to: Conversion,
): Outcome {
  const id = entry.id ?? derivedId('ent', to.businessId, entry.key!);
  return {
    record: {
      kind: 'entry',
      data: {
        id,
        ...(entry.createdAt === undefined ? {} : { createdAt: entry.createdAt }),
        input: {
          collectionId: to.collection!.id,
          blocks: entry.blocks,
          ...(entry.locale === undefined ? {} : { locale: entry.locale }),
          ...(entry.status === undefined ? {} : { status: entry.status as 'DRAFT' }),
        },
      },
      keys: [{ key: `id:${id}`, field: 'id', row }],
    },
  };
}
