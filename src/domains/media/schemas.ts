import Type, { type Static } from 'typebox';
import { CountedPageQuery } from '../../shared/paging.ts';
import {
  BusinessId,
  CountedPageOf,
  Documented,
  Id,
  Input,
  Media,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../shared/schemas.ts';
import { Locale } from '../../shared/text/locales.ts';

export const MediaItem = Type.Object({ ...Media.properties, createdAt: Timestamp, updatedAt: Timestamp });
export type MediaItem = Static<typeof MediaItem>;
export const MediaPage = CountedPageOf(MediaItem);
export const Uploaded = Type.Object({ items: Type.Array(MediaItem) }, { description: 'The uploaded files' });
export type Uploaded = Static<typeof Uploaded>;

export const MAX_TITLE_LENGTH = 200;
const Title = Type.String({ maxLength: MAX_TITLE_LENGTH, examples: ['Linen shirt'] });
export const MAX_ALT_LENGTH = 1000;
export const MAX_ALT_LOCALES = 100;
const AltText = Type.String({ maxLength: MAX_ALT_LENGTH, examples: ['A white shirt on a hanger'] });
export const Alt = Type.Union([AltText, Type.Record(Locale, AltText, { maxProperties: MAX_ALT_LOCALES })]);
export type Alt = string | Record<string, string>;
const Fraction = Type.Number({ minimum: 0, maximum: 1, examples: [0.5] });

export const MediaChange = Input({
  title: Type.Optional(Title),
  alt: Type.Optional(Alt),
  focalPoint: Type.Optional(Input({ x: Fraction, y: Fraction })),
});
export type MediaChange = Static<typeof MediaChange>;

export const MediaQuery = Type.Object({
  ...CountedPageQuery.properties,
  query: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'Words to search for in the file name, title and alt text. Words match by prefix.',
    }),
  ),
  type: Type.Optional(
    OneOf(['image', 'video', 'audio', 'document', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT'], { examples: ['image'] }),
  ),
});
export type MediaQuery = Static<typeof MediaQuery>;

export const DeleteQuery = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'Delete the file even if it is in use, and remove it from the records that use it.' }),
  ),
});
export const DeleteUploadQuery = Type.Object({ mediaId: Id, ...DeleteQuery.properties });

const FileUrl = Text(2000, { examples: ['https://example.com/shirt.jpg'] });
/** The body of a JSON upload request. */
export const UploadByUrl = Input({ files: Type.Array(FileUrl, { minItems: 1, maxItems: 20 }) });

const GIBIBYTE = 1_073_741_824;
export const LargeUploadInput = Input({
  fileName: Text(1000, { examples: ['film.mp4'] }),
  size: Type.Integer({
    minimum: 1,
    maximum: 5 * GIBIBYTE,
    description: 'The size of the file in bytes.',
    examples: [104_857_600],
  }),
  mimeType: Type.Optional(
    Type.String({ maxLength: 200, description: 'Ignored. The type is detected from the content.' }),
  ),
  direct: Type.Optional(
    Type.Boolean({
      description:
        'Whether part URLs can point directly to the storage provider. If `false`, all parts are sent to the API.',
    }),
  ),
});
export type LargeUploadInput = Static<typeof LargeUploadInput>;

const Part = Type.Object({
  number: Type.Integer({ examples: [1] }),
  size: Type.Integer({ examples: [16_777_216] }),
  url: Type.String({ description: 'The URL to send this part to with a PUT request.' }),
  isStored: Type.Boolean({
    description: 'Whether the part is stored. You only need to send parts that are not stored.',
    examples: [false],
  }),
});

export const UPLOAD_STATUSES = ['UPLOADING', 'CHECKING', 'DONE', 'FAILED'] as const;
export const LargeUpload = Type.Object({
  id: Id,
  status: OneOf(UPLOAD_STATUSES),
  fileName: Type.String(),
  size: Type.Integer(),
  partSize: Type.Integer({ description: 'The size in bytes of each part except the last.', examples: [16_777_216] }),
  url: Nullable(Type.String({ description: 'The URL of the next missing part. `null` if all parts are stored.' })),
  headers: Type.Record(Type.String(), Type.String(), { description: 'The headers to send with each part.' }),
  parts: Type.Array(Part),
  media: Type.Optional(MediaItem),
  problem: Type.Optional(Type.String({ description: 'Why the upload failed.' })),
  createdAt: Timestamp,
});
export type LargeUpload = Static<typeof LargeUpload>;

export const PartParams = Type.Object({
  businessId: BusinessId,
  id: Id,
  number: Documented(Type.Integer({ minimum: 1, examples: [1] }), Type.String({ maxLength: 64 })),
});
export const DeliveryParams = Type.Object({ businessId: BusinessId, key: Type.String({ maxLength: 512 }) });

export const MediaUses = Type.Object(
  {
    entities: Type.Array(Type.String({ examples: ['product:prod_01jd3x8q6kz5v0n4t7w2m9c1ab'] }), {
      description: 'The type and ID of each record that uses the file, up to 100.',
    }),
  },
  { description: 'The records that use the file' },
);
export type MediaUses = Static<typeof MediaUses>;
