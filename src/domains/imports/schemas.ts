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
import { ENCODINGS } from './source/encoding.ts';

const IMPORT_STATUSES = ['QUEUED', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const ImportQuery = Type.Object({
  type: OneOf(IMPORT_TYPES, {
    description:
      'The type of the records in the file. Use `business` for an export of a whole business. It can only be imported into an empty business.',
  }),
  dryRun: Type.Optional(
    Type.Boolean({
      description:
        'Validate the file and report the results without saving anything. Not available for type `business`.',
    }),
  ),
  market: Type.Optional({
    ...MarketCode,
    description: "The market for prices that don't specify one. Defaults to the only market of the business.",
  }),
  collectionId: Type.Optional({
    ...IdOrSlug,
    description: 'The collection to import entries into, or the newsletter to import subscribers into.',
  }),
  planId: Type.Optional({
    ...ChosenId,
    description: "The plan for rows that don't specify one. Defaults to the first plan of the newsletter.",
  }),
  consent: Type.Optional(
    Line(200, {
      minLength: 1,
      description: "Where and how subscribers gave consent. Used for rows that don't specify it.",
      examples: ['Paper form at a trade show'],
    }),
  ),
  encoding: Type.Optional(
    OneOf(ENCODINGS, { description: 'The character encoding of the file. Detected if omitted.' }),
  ),
  mediaId: Type.Optional({
    ...Id,
    description: 'The ID of a file in the media library to import instead of a request body.',
  }),
  fileName: Type.Optional(Type.String({ maxLength: 200, examples: ['products.csv'] })),
});
export type ImportQuery = Static<typeof ImportQuery>;

export const ImportError = Type.Object({
  row: Type.Integer({ description: 'The row number as in a spreadsheet. The header is row 1.', examples: [3] }),
  field: Type.String({ description: 'The name of the column.', examples: ['Variant Price'] }),
  error: Type.String({ examples: ['AMBIGUOUS'] }),
  message: Type.String({ examples: ['“1.299” is ambiguous: 1299 or 1.299. Use the format 1299.00.'] }),
});
export type ImportError = Static<typeof ImportError>;

const Count = (description: string) => Type.Integer({ description, examples: [0] });

export const Import = Type.Object({
  id: Id,
  businessId: BusinessId,
  type: OneOf(IMPORT_TYPES),
  format: Type.String({ description: 'The detected format of the file.', examples: ['shopify-products'] }),
  dryRun: Type.Boolean(),
  status: OneOf(IMPORT_STATUSES),
  fileName: Type.String({ examples: ['products.csv'] }),
  size: Type.Integer({ description: 'The size in bytes.', examples: [20_480] }),
  progress: Type.Number({
    description: 'The fraction of the file that has been processed, from 0 to 1.',
    examples: [1],
  }),
  rows: Count('The number of rows read.'),
  created: Count('The number of records created.'),
  updated: Count('The number of records updated.'),
  unchanged: Count('The number of records that were already up to date.'),
  skipped: Count('The number of records intentionally left out, such as deleted members. The warnings say why.'),
  failed: Count('The number of records with errors. They are not saved.'),
  errorCount: Count('The total number of errors.'),
  errors: Type.Array(ImportError, {
    description: 'The first 20 errors. The `/errors` endpoint returns up to 20 per record.',
  }),
  warningCount: Count('The total number of warnings.'),
  warnings: Type.Array(ImportError, {
    description:
      'The first 20 warnings: values that were changed or left out. The `/warnings` endpoint returns all warnings.',
  }),
  pictures: Type.Object(
    { waiting: Type.Integer(), fetched: Type.Integer(), failed: Type.Integer() },
    { description: 'The number of images referenced by URL. They are fetched after their records are saved.' },
  ),
  notes: Type.Array(Type.String(), { description: 'Additional information, such as ignored columns.' }),
  error: Nullable(Type.String({ description: 'Why the import failed.' })),
  userId: Id,
  createdAt: Timestamp,
  startedAt: Nullable(Timestamp),
  completedAt: Nullable(Timestamp),
});
export type Import = Static<typeof Import>;

export const ListedImport = Type.Omit(Import, ['errors', 'warnings', 'pictures']);
export type ListedImport = Static<typeof ListedImport>;

export const ImportsQuery = Type.Object({ ...PageQuery.properties, type: Type.Optional(OneOf(IMPORT_TYPES)) });
export type ImportsQuery = Static<typeof ImportsQuery>;

const EXPORT_TYPES = ['products', 'customers', 'orders', 'subscribers', 'entries'] as const;
export const ExportQuery = Type.Object({
  type: OneOf(EXPORT_TYPES),
  format: Type.Optional(OneOf(['csv', 'ndjson'], { default: 'csv' })),
  collectionId: Type.Optional({
    ...IdOrSlug,
    description: 'Only export the entries or subscribers of this collection.',
  }),
  segmentId: Type.Optional({
    ...Id,
    description: 'With `type=subscribers`: exports the people in this segment (subscribers and customers) instead.',
  }),
});
export type ExportQuery = Static<typeof ExportQuery>;
