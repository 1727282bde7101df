/**
 * Entries as Strapi's REST API gives them (4: `{data: [{id, attributes}]}`, 5: `{data: [{id, documentId, …}]}`), a plain array
 * of such records, or one in each line. Fields go into the blocks of the same name.
 * Source: docs.strapi.io/cms/api/rest, "Response".
 */
import { isRecord } from '../../../shared/is-record.ts';
import { entryOf, fieldsWithoutBlock, fillBlocks } from './entry-blocks.ts';
import { type JsonFormat, secondsOf, textOf, wrong } from './format.ts';

const fieldsOf = (value: Record<string, unknown>) => (isRecord(value.attributes) ? value.attributes : value);

/** Of the entry itself, not of its blocks. */
const TAKEN = ['id', 'documentId', 'locale', 'createdAt', 'publishedAt'];

export const strapiEntries: JsonFormat = {
  name: 'strapi-entries',
  label: 'Entries of Strapi',
  type: 'entries',
  recognises: (sample) =>
    ('documentId' in sample || 'attributes' in sample || 'id' in sample) && !('blocks' in sample && 'owner' in sample),
  ignored: (sample, to) => fieldsWithoutBlock(fieldsOf(sample), to, {}, TAKEN),
  convert(value, row, to) {
    const fields = fieldsOf(value);
    const known = textOf(value.documentId) || textOf(value.id);
    if (known === '')
      return { errors: [wrong(row, 'id', 'REQUIRED', 'The record has no id: it could not be recognised again.')] };
    const { blocks, errors } = fillBlocks(row, fields, to, {});
    if (errors.length > 0) return { errors };
    const locale = textOf(fields.locale) || undefined;
    const isDraft = 'publishedAt' in fields && !fields.publishedAt;
    return entryOf(
      row,
      {
        key: `strapi:${known}:${locale ?? ''}`,
        blocks,
        locale,
        status: isDraft ? 'DRAFT' : 'PUBLISHED',
        createdAt: secondsOf(textOf(fields.createdAt)),
      },
      to,
    );
  },
};
