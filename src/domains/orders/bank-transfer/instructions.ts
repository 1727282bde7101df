/** Instructions for the customer to pay by bank transfer. Pure. */
import { dayOf } from '../../../shared/day.ts';
import { inGroups } from '../../../shared/iban.ts';
import { type Language, textsIn } from '../../../shared/mail/languages.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Configs } from '../../businesses/index.ts';
import { referenceOf } from './reference.ts';
import type { BankTransfer } from './schemas.ts';

export const BANK_TRANSFER = 'BANK_TRANSFER';
const DEFAULT_DAYS = 14;

/** The account at the time of the order, so that later changes don't contradict the customer's email. */
export type StoredAccount = { holder: string; iban: string; bic?: string; bankName?: string; dueAt: number };

/** The parts of an order that determine how it is paid. */
type Payable = {
  number: number;
  status: string;
  paymentStatus: string;
  doc: {
    paymentMethod: string | null;
    currency: string;
    total: number;
    received?: number;
    bankTransfer?: StoredAccount;
  };
};

/** Null if the order is not paid by bank transfer. */
export function accountFor(
  { paymentMethod, total }: Pick<Payable['doc'], 'paymentMethod' | 'total'>,
  { bankTransfer }: Configs,
  nowSeconds: number,
): StoredAccount | null {
  if (paymentMethod !== BANK_TRANSFER || total === 0 || !bankTransfer) return null;
  const { days = DEFAULT_DAYS, ...account } = bankTransfer;
  return { ...account, dueAt: nowSeconds + days * 86_400 };
}

/** Null once the order is paid or canceled. */
export function instructionsOf(order: Payable): BankTransfer | null {
  const { bankTransfer: account, paymentMethod, currency, total, received = 0 } = order.doc;
  const isUnpaid = ['PENDING', 'FAILED'].includes(order.paymentStatus);
  if (!account || paymentMethod !== BANK_TRANSFER || !isUnpaid) return null;
  if (order.status === 'CANCELLED' || order.status === 'REFUNDED') return null;
  const { holder, iban, bic = null, bankName = null, dueAt } = account;
  const amount = Math.max(0, total - received);
  const transfer = { holder, iban, bic, bankName, reference: referenceOf(order.number), amount, currency, dueAt };
  return { ...transfer, epc: epcText(transfer) };
}

const MAX_EPC_CENTS = 99_999_999_999;

/** The contents of an EPC QR code: version 2, UTF-8, SEPA credit transfer. */
function epcText({ holder, iban, bic, reference, amount, currency }: Omit<BankTransfer, 'epc'>): string | null {
  if (currency.toUpperCase() !== 'EUR' || amount < 1 || amount > MAX_EPC_CENTS) return null;
  const euros = `EUR${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
  return ['BCD', '002', '1', 'SCT', bic ?? '', holder.slice(0, 70), iban, euros, '', reference].join('\n');
}

/** The instructions as names and values, for emails and pages. `received`: the part of the total that was paid. */
export function instructionRows(
  transfer: BankTransfer,
  received: number,
  language: Language,
  timeZone: string,
): [name: string, value: string][] {
  const { amount, currency, holder, iban, bic, bankName, reference, dueAt } = transfer;
  const names = textsIn(language).order.transfer;
  return [
    [names.received, received > 0 ? formatMoney(received, currency, language) : ''],
    [names.amount, formatMoney(amount, currency, language)],
    [names.holder, holder],
    [names.iban, inGroups(iban)],
    [names.bic, bic ?? ''],
    [names.bank, bankName ?? ''],
    [names.reference, inGroups(reference)],
    [names.payBy, dayOf(dueAt, language, timeZone)],
  ].filter((row): row is [string, string] => row[1] !== '');
}
