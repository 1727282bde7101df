/** Entries in our own CSV exports. Must read everything that `exports/tables.ts` writes. */

import type { EntrySettings } from '../../../content/index.ts';
import { cellOf, isTextType, textIn, valueOfCell } from '../cells.ts';
import { entryOf } from '../entry-blocks.ts';
import { type CsvFormat, type Row, rowError, secondsOf } from '../format.ts';

const ENTRY_COLUMNS = new Set([
  ...['id', 'collection', 'locale', 'status', 'createdat', 'slug', 'access', 'planids', 'seotitle', 'seodescription'],
  'blocks',
]);

/** Empty cells keep the current values. */
function settingsIn(r: Row): EntrySettings {
  const title = textIn(r, 'seotitle');
  const description = textIn(r, 'seodescription');
  return {
    ...(r.hasValue('slug') ? { slug: r.get('slug') } : {}),
    ...(r.hasValue('access') ? { access: r.get('access') as NonNullable<EntrySettings['access']> } : {}),
    ...(r.hasValue('planids') ? { planIds: r.get('planids').split(',') } : {}),
    ...(title || description ? { seo: { ...(title && { title }), ...(description && { description }) } } : {}),
  };
}

export const ownEntries: CsvFormat = {
  name: 'souk',
  label: 'Souk export',
  type: 'entries',
  isRecognized: (columns) =>
    columns.has('id') && [...columns.keys()].some((column) => column === 'blocks' || column.startsWith('blocks.')),
  reads: (column) => ENTRY_COLUMNS.has(column) || column.startsWith('blocks.'),
  convert([row], given) {
    const r = row!;
    const to = { ...given, collection: given.collections.get(r.get('collection')) ?? given.collection };
    if (!to.collection)
      return {
        errors: [
          rowError(
            r.number,
            'collection',
            'NOT_FOUND',
            'The row has no collection. Choose the collection to import entries into.',
          ),
        ],
      };
    const errors = [];
    const whole = r.hasValue('blocks') ? valueOfCell(textIn(r, 'blocks'), false) : undefined;
    if (r.hasValue('blocks') && !Array.isArray(whole))
      errors.push(
        rowError(r.number, 'blocks', 'INVALID_JSON', 'blocks is not valid JSON. Use the same format as in an export.'),
      );
    const blocks = Array.isArray(whole) ? whole : [];
    for (const { id, type } of whole === undefined ? to.collection.blocks : []) {
      const column = `blocks.${id.toLowerCase()}`;
      if (!r.has(column)) continue;
      const value = valueOfCell(textIn(r, column), isTextType(type));
      if (value === undefined)
        errors.push(rowError(r.number, column, 'INVALID_TYPE', `The cell is not valid for a block of type ${type}.`));
      blocks.push({ id, type, value });
    }
    if (errors.length > 0) return { errors };
    return entryOf(
      r.number,
      {
        ...(r.hasValue('id') ? { id: r.get('id') } : { key: `row:${r.number}:${cellOf(blocks)}` }),
        blocks: blocks as never,
        locale: r.get('locale') || undefined,
        status: r.get('status') || undefined,
        createdAt: secondsOf(r.get('createdat')),
        settings: settingsIn(r),
        blockColumn: r.has('blocks') ? 'WHOLE' : 'PREFIXED',
      },
      to,
    );
  },
};
