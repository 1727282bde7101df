import Type, { type Static } from 'typebox';
import { MAX_HISTORY } from '../../../shared/records/status-history.ts';
import {
  Bps,
  ChosenId,
  Currency,
  Email,
  Id,
  Input,
  Line,
  MarketCode,
  MoneyMinor,
  Name,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';
import {
  addressInputs,
  LineId,
  LineType,
  OrderLine,
  PaymentMethod,
  PromoCodeText,
  ShippingMethodId,
  TaxLine,
  taxes,
  totals,
  VAT_CHECKS,
} from '../../pricing/index.ts';
import { BankPayment } from '../bank-transfer/schemas.ts';
import { ALL_MAIL_KINDS } from '../mails/schemas.ts';
import { Disputes, Exchange } from '../money/schemas.ts';
import { Locale, MAX_LINES, ORDER_STATUSES, PAYMENT_STATUSES } from '../schemas.ts';
import { MAX_SHIPMENTS, Shipment, Tracking } from '../shipments/schemas.ts';
import { Assignee, MAX_NOTES, OrderNote, OrderSource, Tags } from '../work/schemas.ts';
import { RefundExport, ReturnExport } from './after-sale-schemas.ts';

const MAX_NUMBER = 1_000_000_000_000;

const History = (statuses: readonly string[]) =>
  Type.Array(
    Input({
      id: ChosenId,
      status: OneOf(statuses),
      changedBy: OneOf(['USER', 'SYSTEM']),
      userId: Type.Optional(Id),
      timestamp: Timestamp,
    }),
    { minItems: 1, maxItems: MAX_HISTORY },
  );

const { product: _, ...lineFields } = OrderLine.properties;

const ExportedAccount = Input({
  holder: Text(70),
  iban: Text(34),
  bic: Type.Optional(Text(11)),
  bankName: Type.Optional(Line(100)),
  dueAt: Timestamp,
});

/** An order in the export of a whole business. */
export const OrderExport = Input({
  id: Id,
  number: Type.Integer({ minimum: 1, maximum: MAX_NUMBER }),
  customerId: Id,
  email: Type.Optional(Nullable(Email)),
  paid: MoneyMinor,
  refunded: MoneyMinor,
  market: MarketCode,
  currency: Currency,
  taxMode: Type.Optional(OneOf(['EXCLUSIVE', 'INCLUSIVE'])),
  lines: Type.Array(
    Input({
      ...lineFields,
      id: Type.Optional(LineId),
      type: LineType,
      name: Type.Optional(Type.String({ maxLength: 500 })),
      productName: Type.Optional(Name('Linen shirt')),
      variantName: Type.Optional(Type.String({ maxLength: 200 })),
      sku: Type.Optional(Type.String({ maxLength: 200 })),
      options: Type.Optional(OrderLine.properties.options),
      image: Type.Optional(OrderLine.properties.image),
      discount: Type.Optional(MoneyMinor),
      tax: Type.Optional(MoneyMinor),
      taxBps: Type.Optional(Bps),
      taxClassId: Type.Optional(ChosenId),
      requiresShipping: Type.Optional(Type.Boolean()),
      weight: Type.Optional(MoneyMinor),
    }),
    { minItems: 1, maxItems: MAX_LINES },
  ),
  ...totals,
  taxLines: Type.Optional(Type.Array(Input(TaxLine.properties), { maxItems: MAX_LINES })),
  shippingTax: Type.Optional(MoneyMinor),
  taxExempt: Type.Optional(taxes.taxExempt),
  ...addressInputs,
  locale: Type.Optional(Nullable(Locale)),
  promoCode: Type.Optional(PromoCodeText),
  promoUserId: Type.Optional(Id),
  shippingMethodId: Type.Optional(ShippingMethodId),
  paymentMethod: Type.Optional(Nullable(PaymentMethod)),
  bankTransfer: Type.Optional(ExportedAccount),
  received: Type.Optional(MoneyMinor),
  bankPayments: Type.Optional(Type.Array(Input(BankPayment.properties), { maxItems: 1000 })),
  tracking: Type.Optional(Tracking),
  shipments: Type.Optional(Type.Array(Shipment, { maxItems: MAX_SHIPMENTS })),
  mailed: Type.Optional(Type.Array(OneOf(ALL_MAIL_KINDS), { maxItems: 300 })),
  disputes: Disputes,
  exchange: Type.Optional(Exchange),
  refunds: Type.Optional(Type.Array(RefundExport, { maxItems: 1000 })),
  returns: Type.Optional(Type.Array(ReturnExport, { maxItems: 1000 })),
  hasDocuments: Type.Optional(Type.Boolean()),
  vatCheck: Type.Optional(OneOf(VAT_CHECKS)),
  withheldMails: Type.Optional(
    Type.Array(Input({ kind: OneOf(ALL_MAIL_KINDS), timestamp: Timestamp }), { maxItems: 100 }),
  ),
  tags: Type.Optional(Tags),
  assignee: Type.Optional(Assignee),
  notes: Type.Optional(Type.Array(Input(OrderNote.properties), { maxItems: MAX_NOTES })),
  source: Type.Optional(Input(OrderSource.properties)),
  blocks: Type.Array(Type.Unknown(), { maxItems: 1000 }),
  statuses: History(ORDER_STATUSES),
  paymentStatus: History(PAYMENT_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type OrderExport = Static<typeof OrderExport>;

/** The last order number of the business. */
export const OrderCounter = Input({ lastNumber: Type.Integer({ minimum: 0, maximum: MAX_NUMBER }) });
