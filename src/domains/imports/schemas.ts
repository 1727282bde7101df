import Type, { type Static } from 'typebox';
import { PageQuery } from '../../shared/paging.ts';
import {
  BusinessId,
  ChosenId,
  Id,
  IdOrSlug,
  Line,
  MarketCode,
  Nullable,
  OneOf,
  Timestamp,
} from '../../shared/schemas.ts';
import { IMPORT_TYPES } from './formats/format.ts';

const IMPORT_STATUSES = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const ImportQuery = Type.Object({
  type: OneOf(IMPORT_TYPES, {
    description: 'What the file holds. `business`: an export of a whole business, for an empty one.',
  }),
  dryRun: Type.Optional(Type.Boolean({ description: 'Tells what would happen and writes nothing.' })),
  market: Type.Optional({
    ...MarketCode,
    description: 'The market of prices that name none; the only one by default.',
  }),
  collectionId: Type.Optional({ ...IdOrSlug, description: 'Where entries go, or the newsletter of subscribers.' }),
  planId: Type.Optional({
    ...ChosenId,
    description: 'The plan of subscribers that name none; the first one by default.',
  }),
  consent: Type.Optional(
    Line(200, {
      minLength: 1,
      description: 'Where and how subscribers agreed, when the file does not say it.',
      examples: ['Paper form at the fair'],
    }),
  ),
  mediaId: Type.Optional({ ...Id, description: 'A file of the media library, instead of a body.' }),
  fileName: Type.Optional(Type.String({ maxLength: 200, examples: ['products.csv'] })),
});
export type ImportQuery = Static<typeof ImportQuery>;

export const ImportError = Type.Object({
  row: Type.Integer({ description: 'As a spreadsheet counts: the header is row 1.', examples: [3] }),
  field: Type.String({ description: 'The column.', examples: ['Variant Price'] }),
  error: Type.String({ examples: ['AMBIGUOUS'] }),
  message: Type.String({ examples: ['“1.299” can be read as 1299 or as 1.299. Write it like 1299.00.'] }),
});
export type ImportError = Static<typeof ImportError>;

const Count = (description: string) => Type.Integer({ description, examples: [0] });

export const Import = Type.Object({
  id: Id,
  businessId: BusinessId,
  type: OneOf(IMPORT_TYPES),
  format: Type.String({ description: 'What the file was recognised as.', examples: ['shopify-products'] }),
  dryRun: Type.Boolean(),
  status: OneOf(IMPORT_STATUSES),
  fileName: Type.String({ examples: ['products.csv'] }),
  size: Type.Integer({ description: 'Bytes.', examples: [20_480] }),
  progress: Type.Number({ description: 'The share of the file that is done, from 0 to 1.', examples: [1] }),
  rows: Count('Rows that were read.'),
  created: Count('Records that are new.'),
  updated: Count('Records that have changed.'),
  unchanged: Count('Records that were like that already.'),
  skipped: Count('Records that are left out on purpose, such as deleted ones.'),
  failed: Count('Records with errors: nothing of them was written.'),
  errorCount: Count('Errors in all.'),
  errors: Type.Array(ImportError, { description: 'The first ones; all are at `/errors`.' }),
  pictures: Type.Object(
    { waiting: Type.Integer(), fetched: Type.Integer(), failed: Type.Integer() },
    { description: 'Pictures that are named by address are fetched afterwards.' },
  ),
  notes: Type.Array(Type.String(), { description: 'What else is worth knowing, such as columns that are not taken.' }),
  error: Nullable(Type.String({ description: 'Why it failed.' })),
  userId: Id,
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
});
export type Import = Static<typeof Import>;

export const ListedImport = Type.Omit(Import, ['errors', 'pictures']);
export type ListedImport = Static<typeof ListedImport>;

export const ImportsQuery = Type.Object({ ...PageQuery.properties, type: Type.Optional(OneOf(IMPORT_TYPES)) });
export type ImportsQuery = Static<typeof ImportsQuery>;

const EXPORT_TYPES = ['products', 'customers', 'subscribers', 'entries'] as const;
export const ExportQuery = Type.Object({
  type: OneOf(EXPORT_TYPES),
  format: Type.Optional(OneOf(['csv', 'ndjson'], { default: 'csv' })),
  collectionId: Type.Optional({ ...IdOrSlug, description: 'Entries, or subscribers, of this collection only.' }),
});
export type ExportQuery = Static<typeof ExportQuery>;
