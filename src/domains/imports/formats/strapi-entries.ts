/**
 * Entries as Strapi's REST API returns them (4: `{data: [{id, attributes}]}`, 5: `{data: [{id, documentId, …}]}`), a plain array
 * of such records, or one record per line. Fields are imported into the blocks with the same name.
 * Source: docs.strapi.io/cms/api/rest, "Response".
 */
import { isRecord } from '../../../shared/is-record.ts';
import { entryOf, fieldsWithoutBlock, fillBlocks } from './entry-blocks.ts';
import { type JsonFormat, rowError, secondsOf, textOf } from './format.ts';

const fieldsOf = (value: Record<string, unknown>) => (isRecord(value.attributes) ? value.attributes : value);

/** Fields of the entry itself rather than its blocks. */
const OWN_FIELDS = ['id', 'documentId', 'locale', 'createdAt', 'publishedAt'];

export const strapiEntries: JsonFormat = {
  name: 'strapi-entries',
  label: 'Strapi entries',
  type: 'entries',
  isRecognized: (sample) =>
    ('documentId' in sample || 'attributes' in sample || 'id' in sample) && !('blocks' in sample && 'owner' in sample),
  ignored: (sample, to) => fieldsWithoutBlock(fieldsOf(sample), to, {}, OWN_FIELDS),
  convert(value, row, to) {
    const fields = fieldsOf(value);
    const sourceId = textOf(value.documentId) || textOf(value.id);
    if (sourceId === '')
      return {
        errors: [
          rowError(
            row,
            'id',
            'REQUIRED',
            'The record has no ID. Add an ID, so that importing the file again does not create a duplicate.',
          ),
        ],
      };
    const { blocks, errors } = fillBlocks(row, fields, to, {});
    if (errors.length > 0) return { errors };
    const locale = textOf(fields.locale) || undefined;
    const isDraft = 'publishedAt' in fields && !fields.publishedAt;
    return entryOf(
      row,
      {
        key: `strapi:${sourceId}:${locale ?? ''}`,
        blocks,
        blockColumn: 'ID',
        locale,
        status: isDraft ? 'DRAFT' : 'PUBLISHED',
        createdAt: secondsOf(textOf(fields.createdAt)),
      },
      to,
    );
  },
};
