/** Maps the fields of another system to the blocks of a collection. */
import type { BlockDefinition } from '../../../shared/blocks/index.ts';
import { derivedId } from '../../../shared/ids.ts';
import { isRecord } from '../../../shared/is-record.ts';
import type { EntryImport, EntrySettings } from '../../content/index.ts';
import { type Conversion, isYes, type Outcome, type RowError, rowError, secondsOf, textOf } from './format.ts';

type BlockInput = NonNullable<EntryImport['input']['blocks']>[number];

const normalized = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** `aliases` lists other names of a field. Fields without a matching block are ignored; `fieldsWithoutBlock` lists them. */
export function fillBlocks(
  row: number,
  fields: Record<string, unknown>,
  to: Conversion,
  aliases: Record<string, readonly string[]>,
): { blocks: BlockInput[]; errors: RowError[] } {
  const errors: RowError[] = [];
  if (!to.collection)
    return {
      blocks: [],
      errors: [rowError(row, 'collectionId', 'REQUIRED', 'Choose the collection to import entries into.')],
    };
  const byName = new Map(Object.entries(fields).map(([name, value]) => [normalized(name), value]));
  for (const [field, names] of Object.entries(aliases)) {
    for (const name of names)
      if (!byName.has(normalized(name)) && fields[field] !== undefined) byName.set(normalized(name), fields[field]);
  }
  const blocks = to.collection.blocks.flatMap((block) => {
    const value = byName.get(normalized(block.id)) ?? (block.label ? byName.get(normalized(block.label)) : undefined);
    if (value === undefined) return [];
    const read = valueFor(block, value);
    if (read === undefined)
      errors.push(
        rowError(
          row,
          block.id,
          'INVALID_TYPE',
          `The value of ${block.id} is not valid for a block of type ${block.type}.`,
        ),
      );
    return [{ id: block.id, type: block.type, value: read ?? null } as BlockInput];
  });
  return { blocks, errors };
}

/** The block that this field is imported into. */
export const blockFor = (
  field: string,
  { collection }: Conversion,
  aliases: Record<string, readonly string[]>,
): BlockDefinition | undefined => {
  const names = [field, ...(aliases[field] ?? [])].map(normalized);
  return collection?.blocks.find(
    ({ id, label }) => names.includes(normalized(id)) || names.includes(normalized(label ?? '')),
  );
};

/** The non-empty fields of a record that have no block and are not in `ownFields`. */
export function fieldsWithoutBlock(
  fields: Record<string, unknown>,
  to: Conversion,
  aliases: Record<string, readonly string[]>,
  ownFields: readonly string[],
): string[] {
  const blocks = new Set(to.collection?.blocks.flatMap(({ id, label }) => [normalized(id), normalized(label ?? '')]));
  return Object.entries(fields)
    .filter(([field, value]) => !isBlank(value) && !ownFields.includes(field))
    .map(([field]) => field)
    .filter((field) => ![field, ...(aliases[field] ?? [])].some((name) => blocks.has(normalized(name))));
}

/** Systems export unset fields as null, as empty, or as false. */
const isBlank = (value: unknown) =>
  value === null || value === '' || value === false || value === 0 || (Array.isArray(value) && value.length === 0);

/** Returns undefined if the value can't be converted. */
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

/** Strapi's rich text: an array of paragraphs. */
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
    /** The ID in the source system. Our ID is derived from it. */
    key?: string;
    /** An ID from Souk, used as is. */
    id?: string;
    blocks: BlockInput[];
    locale?: string | undefined;
    status?: string | undefined;
    /** Replaces `status`. The last status can be in the future. */
    statuses?: { status: string; timestamp?: number }[] | undefined;
    createdAt?: number | undefined;
    settings?: EntrySettings | undefined;
    blockColumn: 'ID' | 'PREFIXED' | 'WHOLE';
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
          ...entry.settings,
          ...(entry.locale === undefined ? {} : { locale: entry.locale }),
          ...(entry.status === undefined ? {} : { status: entry.status as 'DRAFT' }),
          ...(entry.statuses === undefined ? {} : { statuses: entry.statuses }),
        },
      },
      keys: [{ key: `id:${id}`, field: 'id', row }],
      places: { row, blocks: { ids: entry.blocks.map((block) => String(block?.id)), column: entry.blockColumn } },
    },
  };
}
