/** The stored content of documents. The schemas check documents that are imported. */
import Type, { type Static } from 'typebox';
import {
  Address,
  Bps,
  Id,
  Input,
  Line,
  Nullable,
  OneOf,
  PartialAddress,
  Text,
  Timestamp,
} from '../../../shared/schemas.ts';
import { DOCUMENT_FORMATS, PAPER_SIZES, Seller } from '../../businesses/index.ts';
import { TaxLine } from '../../pricing/index.ts';
import { MAX_REFUND_LINES, StoredParts } from '../money/schemas.ts';
import { LANGUAGES } from './languages.ts';

const Minor = Type.Integer({ minimum: -1_000_000_000_000_000, maximum: 1_000_000_000_000_000 });
const Words = (maxLength: number) => Type.String({ maxLength });

/** A part of a document at one tax rate. */
const TaxShare = Input({ bps: Bps, net: Minor, tax: Minor });
export type TaxShare = Static<typeof TaxShare>;

const SnapshotLine = Input({
  name: Words(500),
  /** Variant and options. */
  details: Words(20_000),
  sku: Words(200),
  /** 0 if only money was refunded. */
  quantity: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  /** As listed, before discount. Null in a credit note. */
  unitPrice: Nullable(Minor),
  /** As shown: with tax if prices include it. Before discount in an invoice. */
  amount: Minor,
  /** The discount, with tax if `amount` includes it. It is not yet subtracted from `amount`. */
  discount: Minor,
  /** After discount. */
  share: TaxShare,
});
export type SnapshotLine = Static<typeof SnapshotLine>;

/** A row of the totals. */
const SnapshotRow = Input({
  kind: OneOf(['SUBTOTAL', 'REVERSE_CHARGE', 'DEDUCTION', 'DISCOUNT', 'SHIPPING', 'TAX']),
  amount: Minor,
  name: Type.Optional(Words(200)),
});
export type SnapshotRow = Static<typeof SnapshotRow>;

const SnapshotSeller = Input({
  ...Seller.properties,
  name: Text(200),
  address: PartialAddress,
  logoId: Type.Optional(Id),
  taxNumber: Type.Optional(Line(100)),
});

export const StoredSnapshot = Input({
  language: OneOf(LANGUAGES),
  timeZone: Text(64, { pattern: '^[A-Za-z0-9_+/-]+$' }),
  paperSize: OneOf(PAPER_SIZES),
  format: OneOf(DOCUMENT_FORMATS),
  legalText: Words(2000),
  seller: SnapshotSeller,
  buyer: Nullable(Input(Address.properties)),
  /** Only in an XRechnung, which requires it. */
  buyerEmail: Nullable(Words(320)),
  /** Null if it is the buyer's address. */
  shipTo: Nullable(Input(Address.properties)),
  order: Input({ id: Id, placedAt: Timestamp }),
  orderNumber: Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 }),
  /** When the latest items were supplied. Null if nothing was supplied before the document was issued. */
  suppliedAt: Nullable(Timestamp),
  /** Items were paid in advance and are supplied later. Documents from older versions don't have it. */
  isSupplyOpen: Type.Optional(Type.Boolean()),
  paymentMethod: Nullable(Words(64)),
  taxIncluded: Type.Boolean(),
  taxExempt: Nullable(OneOf(['REVERSE_CHARGE'])),
  lines: Type.Array(SnapshotLine, { maxItems: MAX_REFUND_LINES }),
  rows: Type.Array(SnapshotRow, { maxItems: MAX_REFUND_LINES }),
  shipping: Type.Array(TaxShare, { maxItems: MAX_REFUND_LINES }),
  taxLines: Type.Array(Input({ ...TaxLine.properties, amount: Minor }), { maxItems: MAX_REFUND_LINES }),
  /** The document that a credit note or its reversal corrects. */
  corrects: Nullable(Input({ number: Words(40), issuedAt: Timestamp })),
  reason: Nullable(Words(2000)),
  parts: Nullable(StoredParts),
});
export type StoredSnapshot = Static<typeof StoredSnapshot>;
/** Everything that an invoice or a credit note shows, except its number and the number of the order. */
export type Snapshot = Omit<StoredSnapshot, 'orderNumber'>;
