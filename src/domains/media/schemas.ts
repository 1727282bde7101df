import Type, { type Static } from 'typebox';
import { Locale } from '../../shared/locales.ts';
import { PageQuery } from '../../shared/paging.ts';
import { BusinessId, Id, Input, Media, Nullable, OneOf, PageOf, Text, Timestamp } from '../../shared/schemas.ts';

export const MediaItem = Type.Object({ ...Media.properties, createdAt: Timestamp, updatedAt: Timestamp });
export type MediaItem = Static<typeof MediaItem>;
export const MediaPage = PageOf(MediaItem);
export const Uploaded = Type.Object({ items: Type.Array(MediaItem) });
export type Uploaded = Static<typeof Uploaded>;

export const MAX_TITLE_LENGTH = 200;
const Title = Type.String({ maxLength: MAX_TITLE_LENGTH, examples: ['Linen shirt'] });
export const MAX_ALT_LENGTH = 1000;
export const MAX_ALT_LOCALES = 100;
const AltText = Type.String({ maxLength: MAX_ALT_LENGTH, examples: ['A white shirt on a hanger'] });
export const Alt = Type.Union([AltText, Type.Record(Locale, AltText, { maxProperties: MAX_ALT_LOCALES })]);
export type Alt = string | Record<string, string>;
const Share = Type.Number({ minimum: 0, maximum: 1, examples: [0.5] });

export const MediaChange = Input({
  title: Type.Optional(Title),
  alt: Type.Optional(Alt),
  focalPoint: Type.Optional(Input({ x: Share, y: Share })),
});
export type MediaChange = Static<typeof MediaChange>;

export const MediaQuery = Type.Object({
  ...PageQuery.properties,
  query: Type.Optional(
    Type.String({ maxLength: 200, description: 'Words of file name, title and alt, the last one may be unfinished.' }),
  ),
  type: Type.Optional(
    OneOf(['image', 'video', 'audio', 'document', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT'], { examples: ['image'] }),
  ),
});
export type MediaQuery = Static<typeof MediaQuery>;

export const DeleteQuery = Type.Object({
  force: Type.Optional(Type.Boolean({ description: 'Also when it is in use: it disappears from where it was.' })),
});
export const DeleteUploadQuery = Type.Object({ mediaId: Id, ...DeleteQuery.properties });

const FileAddress = Text(2000, { examples: ['https://example.com/shirt.jpg'] });
/** Of a call with JSON instead of a form. */
export const UploadByUrl = Input({ files: Type.Array(FileAddress, { minItems: 1, maxItems: 20 }) });

const GIBIBYTE = 1_073_741_824;
export const LargeUploadInput = Input({
  fileName: Text(1000, { examples: ['film.mp4'] }),
  size: Type.Integer({ minimum: 1, maximum: 5 * GIBIBYTE, description: 'Bytes.', examples: [104_857_600] }),
  mimeType: Type.Optional(Type.String({ maxLength: 200, description: 'Not believed: the content tells.' })),
  direct: Type.Optional(
    Type.Boolean({
      description: 'False: all parts come through the service, also where the store could take them itself.',
    }),
  ),
});
export type LargeUploadInput = Static<typeof LargeUploadInput>;

const Part = Type.Object({
  number: Type.Integer({ examples: [1] }),
  size: Type.Integer({ examples: [16_777_216] }),
  url: Type.String({ description: 'Takes the bytes of this part in a PUT.' }),
  isStored: Type.Boolean({ description: 'It is there and need not be sent again.', examples: [false] }),
});

export const UPLOAD_STATUSES = ['UPLOADING', 'CHECKING', 'DONE', 'FAILED'] as const;
export const LargeUpload = Type.Object({
  id: Id,
  status: OneOf(UPLOAD_STATUSES),
  fileName: Type.String(),
  size: Type.Integer(),
  partSize: Type.Integer({ description: 'Bytes of each part but the last.', examples: [16_777_216] }),
  url: Nullable(Type.String({ description: 'Where the next part goes; null when all are there.' })),
  headers: Type.Record(Type.String(), Type.String(), { description: 'To be sent with each part.' }),
  parts: Type.Array(Part),
  media: Type.Optional(MediaItem),
  problem: Type.Optional(Type.String({ description: 'Why it failed.' })),
  createdAt: Timestamp,
});
export type LargeUpload = Static<typeof LargeUpload>;

export const PartParams = Type.Object({ businessId: BusinessId, id: Id, number: Type.String({ maxLength: 64 }) });
export const DeliveryParams = Type.Object({ businessId: BusinessId, key: Type.String() });

export const MediaUses = Type.Object({
  entities: Type.Array(Type.String({ examples: ['product:prod_01jd3x8q6kz5v0n4t7w2m9c1ab'] }), {
    description: 'The kind and the id of each record that uses the file; the first 100.',
  }),
});
export type MediaUses = Static<typeof MediaUses>;
