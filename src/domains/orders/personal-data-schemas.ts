/** An order in an export of personal data: everything about the customer, but not which members worked on it. */
import Type from 'typebox';
import { PublicStatusEntry } from '../../shared/records/status-schemas.ts';
import { Currency, Nullable, PartialAddress } from '../../shared/schemas.ts';
import { PublicEntry } from '../content/index.ts';
import { BankEntry, BankPayment } from './bank-transfer/schemas.ts';
import { OrderDocument } from './documents/schemas.ts';
import { CustomerReturn } from './returns/schemas.ts';
import { CustomerOrder, Order } from './schemas.ts';
import { OrderNote } from './work/schemas.ts';

const { attribution, disputes, vatCheck, withheldMails, tags } = Order.properties;

export const ExportedOrder = Type.Object({
  ...CustomerOrder.properties,
  statuses: Type.Array(PublicStatusEntry),
  paymentStatus: Type.Array(PublicStatusEntry),
  bankPayments: Type.Optional(Type.Array(Type.Pick(BankPayment, ['id', 'amount', 'date', 'timestamp']))),
  attribution,
  disputes,
  vatCheck,
  withheldMails,
  tags,
  notes: Type.Array(Type.Pick(OrderNote, ['id', 'text', 'createdAt', 'updatedAt'])),
  returns: Type.Array(CustomerReturn),
  documents: Type.Array(
    Type.Object({
      ...Type.Pick(OrderDocument, ['id', 'type', 'number', 'issuedAt', 'total']).properties,
      currency: Currency,
      buyer: Type.Optional(Nullable(PartialAddress)),
      buyerEmail: Type.Optional(Nullable(Type.String())),
      shipTo: Type.Optional(Nullable(PartialAddress)),
    }),
  ),
  bankEntries: Type.Array(Type.Pick(BankEntry, ['amount', 'currency', 'date', 'name', 'iban', 'text'])),
  entries: Type.Array(PublicEntry),
});
