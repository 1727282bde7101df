import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from './email.ts';

/** An object of a request: fields that it does not name are dropped before the handler sees them. */
export const Input = <T extends TProperties>(properties: T, options: Record<string, unknown> = {}): TObject<T> =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const Text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength, ...options });

/** One of the given words. */
export const OneOf = <const T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

/** Required, but not by the schema: the use case answers with an error of its own when it is missing. */
export const Demanded = <T extends TSchema>(schema: T) =>
  Type.Optional({ ...schema, 'x-demanded': true } as T & { 'x-demanded': true });

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** Ids the service makes: a prefix and a time-ordered random part. Any string is accepted and simply not found. */
export const Id = Type.String({ minLength: 1, maxLength: 64, examples: ['prod_01jd3x8q6kz5v0n4t7w2m9c1ab'] });

/** Where a record may also be named by its slug. */
export const IdOrSlug = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'The id or the slug.',
  examples: ['linen-shirt'],
});

/** An item of a list has no header to carry it. */
export const Etag = Type.String({ description: 'For `If-Match`, as the header of a single read.', examples: ['"3"'] });

/** Ids that a caller chooses: variants, blocks, plans, markets, shipping methods, API tokens. */
export const ChosenId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_.:-]+$', examples: ['main'] });

/** Text of one line, without control characters: it never breaks into a mail header or a log. */
export const Line = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, pattern: '^[^\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]*$', ...options });
export const Name = Text(200, { pattern: '^[^\\r\\n]*$', examples: ['Linen shirt'] });
/** Who a mail is from, as people read it. It holds no address: nobody can pass for another sender. */
export const SenderName = Text(100, { pattern: '^[^<>@\\x00-\\x1f\\x7f]*$', examples: ['The Souk'] });
export const Slug = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]+)*$',
  examples: ['linen-shirt'],
});
export const Description = Type.String({ maxLength: 20_000 });
export const Timestamp = Type.Integer({
  minimum: 0,
  maximum: 253_402_300_799,
  description: 'Unix time in seconds.',
  examples: [1_763_164_800],
});
export const MoneyMinor = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000_000,
  description: 'Minor units (cents).',
  examples: [4900],
});
export const Quantity = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [1] });
export const Bps = Type.Integer({ minimum: 0, maximum: 10_000, description: 'Basis points.', examples: [2000] });
export const Currency = Type.String({ pattern: '^[A-Za-z]{3}$', examples: ['usd'] });
export const MarketCode = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_.:-]+$', examples: ['us'] });
export const Email = Type.String({
  minLength: 3,
  maxLength: MAX_EMAIL_LENGTH,
  format: 'email',
  pattern: EMAIL_PATTERN,
  examples: ['ada@example.com'],
});

const MediaFile = Type.Object({
  url: Type.String({ examples: ['https://example.com/media/biz_demo/3f2a-large.jpg'] }),
  width: Type.Optional(Type.Integer({ examples: [1920] })),
  height: Type.Optional(Type.Integer({ examples: [1440] })),
  size: Type.Integer({ description: 'Bytes.', examples: [204_800] }),
});
const Pixels = Type.Integer({ minimum: 1, examples: [4032] });

/** A picture or file. What is optional is known of files that lie in the media library; others have an address only. */
export const MediaResolutions = Type.Object({
  original: MediaFile,
  large: Type.Optional(MediaFile),
  medium: Type.Optional(MediaFile),
  small: Type.Optional(MediaFile),
  thumbnail: Type.Optional(MediaFile),
});

export const Media = Type.Object({
  id: Id,
  url: Type.String({ minLength: 1, maxLength: 2000, examples: ['https://example.com/shirt.jpg'] }),
  mimeType: Type.String({ minLength: 1, maxLength: 100, examples: ['image/jpeg'] }),
  fileName: Type.Optional(Type.String({ examples: ['shirt.jpg'] })),
  size: Type.Optional(Type.Integer({ description: 'Bytes that were uploaded.', examples: [2_097_152] })),
  width: Type.Optional(Pixels),
  height: Type.Optional(Pixels),
  hash: Type.Optional(Type.String({ description: 'SHA-256 of what was uploaded.' })),
  blurhash: Type.Optional(Type.String({ examples: ['LEHV6nWB2yk8pyo0adR*.7kCMdnj'] })),
  title: Type.Optional(Type.String({ examples: ['Linen shirt'] })),
  alt: Type.Optional(
    Type.Unknown({ description: 'A string, or an object of strings by locale.', examples: [{ en: 'A shirt' }] }),
  ),
  focalPoint: Type.Optional(Type.Object({ x: Type.Number(), y: Type.Number() })),
  resolutions: Type.Optional(MediaResolutions),
});
export type Media = Static<typeof Media>;
export const MediaInput = Input({
  id: Type.Optional(ChosenId),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2000,
      pattern: '^(https?://|/)[^\\s]*$',
      description: 'May be left out when `id` names a file of the media library.',
      examples: ['https://example.com/shirt.jpg'],
    }),
  ),
  mimeType: Type.Optional(Type.String({ pattern: '^[a-z]+/[A-Za-z0-9.+-]{1,80}$', examples: ['image/jpeg'] })),
});
export type MediaInput = Static<typeof MediaInput>;

export const Success = Type.Object({ success: Type.Boolean({ examples: [true] }) });
export const SUCCESS = { success: true } as const;

const AddressPart = (example: string) => Type.Optional(Type.String({ maxLength: 200, examples: [example] }));
const addressFields = {
  street: AddressPart('Main Street 1'),
  city: AddressPart('Springfield'),
  state: AddressPart('IL'),
  zip: AddressPart('62701'),
  country: AddressPart('US'),
};
export const Address = Type.Object(addressFields);
export type Address = Static<typeof Address>;
export const AddressInput = Input(addressFields);

export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), cursor: Nullable(Type.String({ description: 'Null on the last page.' })) });

export const BusinessId = Type.String({ minLength: 1, maxLength: 64, examples: ['biz_demo'] });
export const BusinessParams = Type.Object({ businessId: BusinessId });
export const BusinessRecordParams = Type.Object({ businessId: BusinessId, id: Id });
export const BusinessSlugParams = Type.Object({ businessId: BusinessId, id: IdOrSlug });

export const ErrorBody = Type.Object(
  {
    error: Type.String({ examples: ['VALIDATION_FAILED'] }),
    message: Type.String({ examples: ['name is required.'] }),
    details: Type.Array(
      Type.Object({
        field: Type.String({ examples: ['name'] }),
        error: Type.String({ examples: ['REQUIRED'] }),
        message: Type.String({ examples: ['name is required.'] }),
      }),
    ),
    validationErrors: Type.Optional(
      Type.Array(Type.Object({ field: Type.String(), error: Type.String() }), {
        description: 'The same once more, when there are any.',
      }),
    ),
    requestId: Type.Optional(Type.String({ description: 'On 500: quote it when you report the error.' })),
  },
  { $id: 'Error' },
);
