import Type, { type Static } from 'typebox';
import { PageQuery } from '../../../shared/paging.ts';
import { BusinessId, Currency, Id, Input, Line, Nullable, OneOf, Timestamp } from '../../../shared/schemas.ts';

const Iban = Type.String({ examples: ['DE89370400440532013000'] });
const Amount = (description: string) => Type.Integer({ description, examples: [4900] });

/** The payment details that the customer needs. */
export const BankTransfer = Type.Object({
  holder: Type.String({ examples: ['Souk GmbH'] }),
  iban: Iban,
  bic: Nullable(Type.String({ examples: ['COBADEFFXXX'] })),
  bankName: Nullable(Type.String({ examples: ['Commerzbank'] })),
  reference: Type.String({
    description: 'The remittance text: an ISO 11649 creditor reference derived from the order number.',
    examples: ['RF34000042'],
  }),
  amount: Amount('The amount due.'),
  currency: Currency,
  dueAt: Type.Integer({ ...Timestamp, description: 'If unpaid, the order is canceled at this time.' }),
  epc: Nullable(
    Type.String({
      description:
        "The text of an EPC QR code (EPC069-12), which banking apps scan. Null if the currency is not EUR or the amount can't be encoded.",
      examples: ['BCD\n002\n1\nSCT\n\nSouk GmbH\nDE89370400440532013000\nEUR49.00\n\nRF34000042'],
    }),
  ),
});
export type BankTransfer = Static<typeof BankTransfer>;

/** A payment from a bank statement that was recorded on the order. */
export const BankPayment = Type.Object({
  id: Type.String({ description: 'The ID of the entry.', examples: ['q1Zx8V0m3nT5y7Ba9cD2eF'] }),
  amount: Amount('In minor units.'),
  date: Type.String({ description: 'The booking date.', examples: ['2026-11-17'] }),
  userId: Id,
  timestamp: Timestamp,
});
export type BankPayment = Static<typeof BankPayment>;

export const ENTRY_STATES = [
  'EXACT',
  'PARTIAL',
  'EXCESS',
  'UNKNOWN',
  'ALREADY_BOOKED',
  'ALREADY_PAID',
  'POSSIBLE_DUPLICATE',
] as const;

const EntryId = Type.String({ minLength: 1, maxLength: 64, examples: ['q1Zx8V0m3nT5y7Ba9cD2eF'] });

export const MatchedOrder = Type.Object({
  id: Id,
  number: Type.Integer({ examples: [42] }),
  total: Amount('The order total.'),
  received: Amount('The amount received so far.'),
  status: Type.String({ examples: ['PENDING'] }),
  paymentStatus: Type.String({ examples: ['PENDING'] }),
});

export const BankEntry = Type.Object({
  id: EntryId,
  date: Type.String({ examples: ['2026-11-17'] }),
  amount: Amount('In minor units.'),
  currency: Currency,
  name: Nullable(Type.String({ description: 'The payer.', examples: ['Ada Lovelace'] })),
  iban: Nullable(Type.String({ description: 'The account of the payer.', examples: ['DE02120300000000202051'] })),
  text: Nullable(Type.String({ description: 'The remittance text.', examples: ['RF34 0000 42 thank you'] })),
  state: OneOf(ENTRY_STATES, {
    description:
      'Compares the payment, plus earlier payments, with the order total. `UNKNOWN`: the text refers to no order, to several, or to an order in another currency. `ALREADY_PAID`: the order was already paid in another way. `POSSIBLE_DUPLICATE`: a payment of the same amount on the same day, by the same payer or for the same order, was recorded from another file.',
  }),
  order: Nullable(MatchedOrder),
});
export type BankEntry = Static<typeof BankEntry>;

const statementFields = {
  id: Id,
  businessId: BusinessId,
  fileName: Type.String({ examples: ['camt053.xml'] }),
  format: OneOf(['CAMT', 'CSV']),
  iban: Nullable({
    ...Iban,
    description: 'The IBAN of the account that the statement is for, if the file contains it.',
  }),
  skipped: Type.Integer({ description: 'Rows that are not incoming payments.', examples: [3] }),
  userId: Id,
  createdAt: Timestamp,
};
export const ListedStatement = Type.Object({
  ...statementFields,
  count: Type.Integer({ description: 'Incoming payments in the file.', examples: [12] }),
  booked: Type.Integer({ description: 'Recorded payments.', examples: [11] }),
});
export type ListedStatement = Static<typeof ListedStatement>;

export const BankStatement = Type.Object({
  ...statementFields,
  entries: Type.Array(BankEntry, { description: 'Incoming payments, in file order.' }),
});
export type BankStatement = Static<typeof BankStatement>;

export const StatementQuery = Type.Object({
  fileName: Type.Optional(Line(200, { description: 'The file name, shown in lists.', examples: ['camt053.xml'] })),
});
export const StatementsQuery = PageQuery;

export const MAX_BOOKED = 500;
export const BookInput = Input({
  entries: Type.Array(
    Input({
      id: EntryId,
      orderId: Type.Optional({
        ...Id,
        description: 'Records the payment for this order instead of the matching one.',
      }),
    }),
    { minItems: 1, maxItems: MAX_BOOKED },
  ),
});
export type BookInput = Static<typeof BookInput>;
