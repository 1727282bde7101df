import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { EMAIL_PATTERN, MAX_EMAIL_LENGTH } from './text/email.ts';

/** An object in a request. Unknown fields are removed before the handler runs. */
export const Input = <T extends TProperties>(properties: T, options: Record<string, unknown> = {}): TObject<T> =>
  Type.Object(properties, { additionalProperties: false, ...options });

export const Text = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ minLength: 1, maxLength, ...options });

/** One of the given values. */
export const OneOf = <const T extends string>(values: readonly T[], options: Record<string, unknown> = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: values, ...options });

/** Required by the use case rather than the schema, so that it can return a specific error. */
export const RequiredByUseCase = <T extends TSchema>(schema: T) =>
  Type.Optional({ ...schema, 'x-required': true } as T & { 'x-required': true });

/** Options of an object: the use case requires one of these fields. */
export const OneRequired = (...names: string[]) => ({ 'x-one-required': names });

/** Documents the values of a string that a use case validates, so that it can return a specific error. */
export const Known = <T extends TSchema>(values: readonly string[], schema: T): T => ({
  ...schema,
  'x-values': values,
});

/** Documents a part that a use case validates, so that it can return a specific error. */
export const Documented = <T extends TSchema>(documented: TSchema, schema: T): T => ({
  ...schema,
  'x-documented': documented,
});

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An ID from the service: a prefix and a time-ordered random part. Any other string is accepted but matches nothing. */
export const Id = Type.String({ minLength: 1, maxLength: 64, examples: ['prod_01jd3x8q6kz5v0n4t7w2m9c1ab'] });

/** For records that also have a slug. */
export const IdOrSlug = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'ID or slug.',
  examples: ['linen-shirt'],
});

/** For items in a list, which have no headers. */
export const Etag = Type.String({
  description: 'Value for `If-Match`, the same as the `ETag` header of a single record.',
  examples: ['"3"'],
});

/** IDs that the caller chooses: variants, blocks, plans, markets, shipping methods, API tokens. */
export const ChosenId = Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_.:-]+$', examples: ['main'] });

/** A single line of text without control characters, safe in email headers and logs. */
export const Line = (maxLength: number, options: Record<string, unknown> = {}) =>
  Type.String({ maxLength, pattern: '^[^\\x00-\\x1f\\x7f\\x85\\u2028\\u2029]*$', ...options });
/** The API reference and the error messages contain the example. */
export const Name = (example: string) => Text(200, { pattern: '^[^\\r\\n]*$', examples: [example] });
/** The display name of an email's sender. It can't contain an address, so no one can impersonate another sender. */
export const SenderName = Text(100, { pattern: '^[^<>@\\x00-\\x1f\\x7f]*$', examples: ['The Souk'] });
export const Slug = (example: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[\\p{L}\\p{N}]+(?:[-_.][\\p{L}\\p{N}]+)*$',
    examples: [example],
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
  description: 'Amount in minor units, such as cents.',
  examples: [4900],
});
export const Quantity = Type.Integer({ minimum: 1, maximum: 1_000_000, examples: [1] });
export const Bps = Type.Integer({ minimum: 0, maximum: 10_000, description: 'Basis points.', examples: [2000] });
export const Currency = Type.String({ maxLength: 20, pattern: '^[A-Za-z]{3}$', examples: ['usd'] });
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
  size: Type.Integer({ description: 'Size in bytes.', examples: [204_800] }),
});
const Pixels = Type.Integer({ minimum: 1, examples: [4032] });

/** An image or file. The optional fields are known for files in the media library; other files only have a URL. */
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
  size: Type.Optional(Type.Integer({ description: 'Size of the uploaded file in bytes.', examples: [2_097_152] })),
  width: Type.Optional(Pixels),
  height: Type.Optional(Pixels),
  hash: Type.Optional(Type.String({ description: 'SHA-256 of the uploaded file.' })),
  blurhash: Type.Optional(Type.String({ examples: ['LEHV6nWB2yk8pyo0adR*.7kCMdnj'] })),
  title: Type.Optional(Type.String({ examples: ['Linen shirt'] })),
  alt: Type.Optional(
    Documented(
      Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
        description: 'A string, or an object with one string per locale.',
        examples: [{ en: 'A shirt' }],
      }),
      Type.Unknown(),
    ),
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
      description: 'Optional if `id` is the ID of a file in the media library.',
      examples: ['https://example.com/shirt.jpg'],
    }),
  ),
  mimeType: Type.Optional(
    Type.String({ maxLength: 100, pattern: '^[a-z]+/[A-Za-z0-9.+-]{1,80}$', examples: ['image/jpeg'] }),
  ),
});
export type MediaInput = Static<typeof MediaInput>;

export const Success = Type.Object({ success: Type.Boolean({ examples: [true] }) });
export const SUCCESS = { success: true } as const;

const AddressPart = (example: string, options: object = {}) =>
  Type.String({ maxLength: 200, ...options, examples: [example] });
const addressFields = {
  street: AddressPart('1 Main Street'),
  city: AddressPart('Springfield'),
  state: AddressPart('IL'),
  zip: AddressPart('62701'),
  country: AddressPart('US', {
    description: 'An ISO 3166-1 alpha-2 code if the business has shipping zones or tax rates, otherwise any text.',
  }),
};
const addressDetails = {
  name: Type.Optional(AddressPart('Ada Lovelace')),
  company: Type.Optional(AddressPart('Analytical Engines Ltd')),
  street2: Type.Optional(AddressPart('Apartment 4')),
  phone: Type.Optional(AddressPart('+4915112345678', { maxLength: 40 })),
  vatId: Type.Optional(
    AddressPart('DE123456789', { maxLength: 50, description: 'The VAT ID of a business customer.' }),
  ),
};
export const Address = Type.Object({ ...addressFields, ...addressDetails });
export type Address = Static<typeof Address>;
export const PartialAddress = Input(Type.Partial(Address).properties);
export type PartialAddress = Static<typeof PartialAddress>;

/** Parts that were not given are empty. */
export const completeAddress = (given: PartialAddress): Address => ({
  street: '',
  city: '',
  state: '',
  zip: '',
  country: '',
  ...given,
});

/** An address in a cart or an order: trimmed, without empty details. */
export function tidyAddress(given: PartialAddress): Address {
  const trimmed = Object.entries(given).map(([part, text]) => [part, text?.trim() ?? '']);
  return completeAddress(Object.fromEntries(trimmed.filter(([, text]) => text !== '')));
}

/** An ISO 3166-1 alpha-2 code. */
export const Country = Type.String({ maxLength: 2, pattern: '^[A-Z]{2}$', examples: ['DE'] });

export const PageOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), cursor: Nullable(Type.String({ description: 'Null on the last page.' })) });

/** A page of a list with `CountedPageQuery`. */
export const CountedPageOf = <T extends TSchema>(item: T) =>
  Type.Object({
    ...PageOf(item).properties,
    total: Type.Optional(
      Type.Integer({
        description: 'Number of records on all pages, with `count=true`. Capped at 10,000.',
        examples: [12],
      }),
    ),
  });

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
    validationErrors: Type.Array(Type.Object({ field: Type.String(), error: Type.String() }), {
      description: 'The errors in `details`, without their messages.',
    }),
    requestId: Type.Optional(
      Type.String({ description: 'Only for status 500. Include it when you report the error.' }),
    ),
    challenge: Type.Optional(
      Type.String({
        description: 'Only for `SECOND_FACTOR_REQUIRED` and `STEP_UP_REQUIRED`. Send it back with a factor.',
      }),
    ),
    methods: Type.Optional(
      Type.Array(Type.String({ examples: ['TOTP'] }), {
        description:
          'The methods that can complete the challenge. `LOGIN`: the session has no second factor or password to check. Log in again, then repeat the request within 5 minutes without `Souk-Step-Up`.',
      }),
    ),
  },
  { $id: 'Error' },
);

export const MAX_BULK_ITEMS = 100;

/** The body of a request that changes many records. */
export const Bulk = <T extends TSchema>(item: T) =>
  Input({ items: Type.Array(item, { minItems: 1, maxItems: MAX_BULK_ITEMS }) });

export const ItemError = Type.Object(ErrorBody.properties, {
  description: 'The error that a request for this record alone would return.',
});

/** The response to it: one result for each item, in the same order. */
export const BulkResults = <T extends TSchema>(result: T) =>
  Type.Object({
    items: Type.Array(
      Type.Object({
        success: Type.Boolean({ description: 'Whether the item was applied.', examples: [true] }),
        result: Type.Optional(result),
        error: Type.Optional(ItemError),
      }),
      { description: 'One result for each item, in the same order.' },
    ),
  });
