import Type, { type Static } from 'typebox';
import {
  ChosenId,
  Currency,
  Input,
  MarketCode,
  MoneyMinor,
  Nullable,
  PartialAddress,
} from '../../../shared/schemas.ts';
import { TaxClass, TaxRate, TaxSettings } from '../../businesses/index.ts';
import { TaxLine, taxes, totals } from '../schemas.ts';

export const TaxPreviewInput = Input(
  {
    market: MarketCode,
    amount: Type.Integer({ ...MoneyMinor, description: 'The listed price of the item.' }),
    shipping: Type.Optional(Type.Integer({ ...MoneyMinor, description: 'The listed price of shipping.' })),
    taxClassId: Type.Optional(ChosenId),
    address: Type.Optional(Nullable(PartialAddress)),
    taxClasses: Type.Optional(Type.Array(TaxClass, { maxItems: 100 })),
    taxRates: Type.Optional(Type.Array(TaxRate, { maxItems: 10_000 })),
    tax: Type.Optional(TaxSettings),
  },
  { examples: [{ market: 'eu', amount: 5000, taxClassId: 'books', address: { country: 'FR' } }] },
);
export type TaxPreviewInput = Static<typeof TaxPreviewInput>;

export const TaxPreview = Type.Object({
  currency: Currency,
  taxIncluded: Type.Boolean({ description: 'Whether the listed prices include tax.', examples: [true] }),
  tax: totals.tax,
  taxLines: Type.Array(TaxLine),
  shippingTax: taxes.shippingTax,
  total: totals.total,
});
export type TaxPreview = Static<typeof TaxPreview>;
