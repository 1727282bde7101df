/** Details of products that shops must show by law: unit prices, and who is responsible for safety. */
import Type, { type Static } from 'typebox';
import { Email, Input, Nullable, OneOf, Text } from '../../../shared/schemas.ts';

/** For each unit of measure: the unit that unit prices refer to (`per`), and its size in the unit of measure (`size`). */
export const UNITS = {
  g: { per: 'kg', size: 1000 },
  kg: { per: 'kg', size: 1 },
  ml: { per: 'l', size: 1000 },
  cl: { per: 'l', size: 100 },
  l: { per: 'l', size: 1 },
  cm: { per: 'm', size: 100 },
  m: { per: 'm', size: 1 },
  m2: { per: 'm2', size: 1 },
  piece: { per: 'piece', size: 1 },
} as const;
export type Unit = keyof typeof UNITS;

const Unit = OneOf(Object.keys(UNITS) as Unit[], { examples: ['g'] });
const Content = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1_000_000_000,
  description: 'The quantity of product in the variant, in `unit`.',
  examples: [250],
});
const Reference = Type.Number({
  exclusiveMinimum: 0,
  maximum: 1_000_000,
  description: 'The quantity that the unit price is for, in kg, l, m, m2 or pieces. Defaults to 1.',
  examples: [1],
});

export const UnitPricing = Type.Object({ amount: Content, unit: Unit, reference: Reference });
export type UnitPricing = Static<typeof UnitPricing>;
export const UnitPricingInput = Input({ amount: Content, unit: Unit, reference: Type.Optional(Reference) });

export const UnitPrice = Type.Object(
  {
    amount: Type.Integer({ description: 'In minor units, such as cents.', examples: [1596] }),
    per: Type.String({ description: 'kg, l, m, m2 or piece.', examples: ['kg'] }),
    quantity: Reference,
  },
  { description: 'The price per unit of quantity. Set if the variant has `unitPricing`.' },
);
export type UnitPrice = Static<typeof UnitPrice>;

const contact = {
  name: Text(200, { examples: ['Linho Lda'] }),
  address: Type.Optional(
    Type.String({
      maxLength: 500,
      description: 'The postal address.',
      examples: ['Rua do Linho 1, 4000-001 Porto, PT'],
    }),
  ),
  email: Type.Optional(Email),
  url: Type.Optional(
    Type.String({ maxLength: 2000, pattern: '^https?://[^\\s]+$', examples: ['https://linho.example'] }),
  ),
};
export const Manufacturer = Type.Object(contact, {
  description: 'The manufacturer, with a postal address and an email address or website.',
});
export type Manufacturer = Static<typeof Manufacturer>;
export const ManufacturerInput = Type.Optional(Nullable(Input(contact)));

const Warnings = Type.String({
  maxLength: 5000,
  description: 'Warnings and safety information.',
  examples: ['Keep away from open flames.'],
});
const ResponsiblePerson = { description: 'The responsible person in the EU, for manufacturers outside it.' };
export const Safety = Type.Object({
  warnings: Type.Optional(Warnings),
  responsiblePerson: Type.Optional(Type.Object(contact, ResponsiblePerson)),
});
export type Safety = Static<typeof Safety>;
export const SafetyInput = Type.Optional(
  Nullable(
    Input({ warnings: Type.Optional(Warnings), responsiblePerson: Type.Optional(Input(contact, ResponsiblePerson)) }),
  ),
);
