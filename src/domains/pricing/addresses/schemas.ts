import Type, { type Static } from 'typebox';
import { ADDRESS_FIELDS } from '../../../shared/addresses/index.ts';
import { Nullable, OneOf } from '../../../shared/schemas.ts';

const CountryCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'ISO 3166-1 alpha-2 code.',
  examples: ['US'],
});

export const AddressFormat = Type.Object({
  country: CountryCode,
  name: Type.String({ description: 'The English name of the country.', examples: ['United States'] }),
  fields: Type.Array(
    Type.Object({
      name: OneOf(ADDRESS_FIELDS, { examples: ['zip'] }),
      type: Type.String({
        description: 'The local name of the field, for custom labels: `zip`, `postal`, `pin`, `prefecture`.',
        examples: ['zip'],
      }),
      label: Type.String({ description: 'The label in the requested language.', examples: ['ZIP code'] }),
      required: Type.Boolean(),
    }),
    { description: 'The fields of an address, in the order used in that country.' },
  ),
  states: Type.Array(
    Type.Object({ code: Type.String({ examples: ['CA'] }), name: Type.String({ examples: ['California'] }) }),
    { description: 'Empty if the country has no states, or any text is accepted.' },
  ),
  writesStateCodes: Type.Boolean({
    description: 'Whether addresses use the state code, as in `Cupertino, CA 95014`, instead of the full name.',
  }),
  zipPattern: Nullable(
    Type.String({
      description: 'Regular expression for the whole postal code in upper case. Null if any text is accepted.',
      examples: ['\\d{5}(?:[ \\-]\\d{4})?'],
    }),
  ),
  zipExample: Nullable(Type.String({ examples: ['95014'] })),
});

export const ListedCountry = Type.Object({
  country: CountryCode,
  name: AddressFormat.properties.name,
  isEuMember: Type.Boolean({ description: 'Whether the country is a member of the European Union.' }),
});
export type ListedCountry = Static<typeof ListedCountry>;

export const AddressFormatParams = Type.Object({ country: CountryCode });
export const AddressFormatQuery = Type.Object({
  locale: Type.Optional(
    Type.String({
      maxLength: 35,
      description: 'The language of the labels: English (default) or German. Other languages get English labels.',
      examples: ['de'],
    }),
  ),
});
