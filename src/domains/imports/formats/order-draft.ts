/**
 * An order from another system, and its conversion to our order. Formats fill in a draft; amounts, statuses and addresses
 * are converted here, the same way for all formats. Pure.
 */
import { derivedId } from '../../../shared/ids.ts';
import type { PartialAddress } from '../../../shared/schemas.ts';
import type { PastOrderImport } from '../../orders/index.ts';
import { type Conversion, type Outcome, type PriceMarket, type RowError, rowError } from './format.ts';
import { readMoney, writeMoney } from './money.ts';
import { type OrderTimes, type PaymentStatus, paymentsOf, type Status, statusesOf } from './order-histories.ts';
import { balance, type DraftLine, type OrderAmounts, splitLine } from './order-price.ts';

type OrderFacts = OrderTimes & {
  /** The ID in the other system. */
  key: string;
  number: string;
  status: Status;
  payment: PaymentStatus;
  email: string;
  name: string;
  phone: string;
  shippingAddress: PartialAddress | null;
  billingAddress: PartialAddress | null;
  promoCode: string;
  note: string;
  tags: string[];
};

/** Text that is too long is truncated. */
const LIMITS = { name: 200, sku: 200, part: 200, phone: 40, tag: 40, note: 5000, promoCode: 64, number: 100 };
const MAX_TAGS = 20;
const MAX_LINES = 1000;
/** More errors and warnings of a record are never stored. */
const MAX_REPORTED = 1000;
const MAX_AMOUNT = 100;
/** Larger numbers are usually dates or IDs. The numbers of new orders would continue from them. */
const MAX_NUMBER = 999_999_999;

export class OrderDraft {
  readonly errors: RowError[] = [];
  readonly warnings: RowError[] = [];
  readonly lines: DraftLine[] = [];
  readonly currency: string;
  readonly #row: number;
  readonly #system: string;
  readonly #columns: Record<string, string>;

  /** `columns`: the columns of fields that have another name in the file. */
  constructor(system: string, row: number, currency: string, columns: Record<string, string> = {}) {
    this.#columns = columns;
    this.#system = system;
    this.#row = row;
    this.currency = currency.toLowerCase();
    if (!/^[a-z]{3}$/.test(this.currency))
      this.fail('currency', 'INVALID_FORMAT', `“${currency.slice(0, 20)}” is not a currency code such as EUR.`);
  }

  fail(field: string, error: string, message: string, row = this.#row): void {
    if (this.errors.length < MAX_REPORTED)
      this.errors.push(rowError(row, this.#columns[field] ?? field, error, message));
  }

  warn(field: string, error: string, message: string, row = this.#row): void {
    if (this.warnings.length < MAX_REPORTED)
      this.warnings.push(rowError(row, this.#columns[field] ?? field, error, message));
  }

  /** An amount in minor units. Empty cells are 0. A negative amount is 0, with a warning. */
  money(field: string, text: string, row = this.#row): number {
    const trimmed = text.trim();
    if (trimmed === '' || this.errors.some((each) => each.field === 'currency')) return 0;
    // Systems keep more decimal places than the currency has.
    const isExact = trimmed.length <= MAX_AMOUNT && /^-?\d+\.\d+$/.test(trimmed);
    const exact = isExact ? rounded(trimmed, this.currency) : trimmed;
    const read = readMoney(exact.replace(/^-/, ''), this.currency);
    if ('error' in read) {
      this.fail(field, read.error, read.message, row);
      return 0;
    }
    if (!exact.startsWith('-') || read.minor === 0) return read.minor;
    this.warn(field, 'NEGATIVE', `The negative amount ${trimmed} was imported as 0.`, row);
    return 0;
  }

  addLine(line: Omit<DraftLine, 'total'> & { total: number }): void {
    const { row } = line;
    if (this.lines.length === MAX_LINES) {
      this.fail('lines', 'TOO_MANY', `The order has more than ${MAX_LINES} items.`);
      return;
    }
    if (!Number.isSafeInteger(line.quantity) || line.quantity < 1) {
      this.warn('quantity', 'OUT_OF_RANGE', `“${line.name.slice(0, 60)}” has no quantity and was left out.`, row);
      return;
    }
    const name = this.#cut('name', line.name || line.sku || 'Item', LIMITS.name, row);
    this.lines.push({ ...line, name, sku: this.#cut('sku', line.sku, LIMITS.sku, row) });
  }

  #cut(field: string, text: string, max: number, row = this.#row): string {
    if (text.length <= max) return text;
    this.warn(field, 'SHORTENED', `“${text.slice(0, 40)}…” was shortened to ${max} characters.`, row);
    return text.slice(0, max);
  }

  finish(facts: OrderFacts, amounts: OrderAmounts, to: Conversion): Outcome {
    if (this.lines.length === 0) this.fail('lines', 'REQUIRED', 'The order has no items.');
    const market = this.#market(to);
    if (this.errors.length > 0 || !market) return { errors: this.errors };
    const { businessId } = to;
    const system = this.#system;
    const id = derivedId('ord', businessId, `${system}:${facts.key}`);
    const email = this.#email(facts.email);
    const person = { ...facts, email, phone: this.#phone(facts.phone) };
    const shippingAddress = this.#address('shipping', facts.shippingAddress);
    const billingAddress = this.#address('billing', facts.billingAddress);
    const price = this.#price(amounts);
    const { paid, refunded, payment } = this.#payment(facts, amounts, price.total);
    const lines = price.lines.map((line, i) => ({
      ...line,
      id: `line_${i + 1}`,
      // Replaced if a product has this SKU.
      productId: derivedId('prod', businessId, `${system}:${line.sku || line.name}`),
    }));
    const tags = [...new Set(facts.tags.map((tag) => this.#cut('tags', tag.trim(), LIMITS.tag)).filter(Boolean))];
    if (tags.length > MAX_TAGS)
      this.warn('tags', 'TOO_MANY', `Only the first ${MAX_TAGS} of ${tags.length} tags were imported.`);
    const number = numberOf(facts.number);
    const data: PastOrderImport = {
      person: person.email || person.phone || person.name ? personOf(person, shippingAddress, billingAddress) : null,
      personKey: `${system}:${person.phone || facts.key}`,
      linksProducts: true,
      hasNumber: number !== null,
      input: {
        id,
        number: number ?? 1,
        customerId: derivedId('cust', businessId, `${system}:order:${facts.key}`),
        email: person.email || null,
        market: market.id,
        currency: this.currency,
        ...price,
        lines,
        paid,
        refunded,
        shippingAddress,
        billingAddress,
        blocks: [],
        ...(facts.promoCode ? { promoCode: this.#cut('promoCode', facts.promoCode, LIMITS.promoCode) } : {}),
        ...(tags.length > 0 ? { tags: tags.slice(0, MAX_TAGS) } : {}),
        ...this.#note(facts, id),
        source: { system, number: this.#cut('number', facts.number, LIMITS.number) },
        statuses: statusesOf(facts),
        paymentStatus: paymentsOf(facts, payment),
        ...this.#shipments(facts, id, lines),
        createdAt: facts.createdAt,
        updatedAt: Math.max(facts.createdAt, facts.cancelledAt ?? 0, facts.shippedAt ?? 0, facts.paidAt ?? 0),
      },
    };
    if (number === null)
      this.warn(
        'number',
        'NUMBER_CHANGED',
        `“${facts.number.slice(0, 60)}” is not a plain number. The order is assigned the next free number. You can search for either one.`,
      );
    return {
      record: {
        kind: 'pastOrder',
        data,
        keys: [{ key: `order:${facts.number || facts.key}`, field: 'number', row: this.#row }],
        places: {
          row: this.#row,
          columns: this.#columns,
          list: { name: 'lines', rows: this.lines.map((line) => line.row) },
        },
        warnings: this.warnings,
      },
    };
  }

  /** The market with the currency of the order, or the market of the import. */
  #market(to: Conversion): PriceMarket | null {
    const { market, markets } = to;
    const isSame = (each: PriceMarket | null) => each?.currency.toLowerCase() === this.currency;
    if (isSame(market)) return market;
    const other = markets.find(isSame) ?? null;
    if (other) return other;
    const fallback = market ?? markets[0] ?? null;
    const currency = this.currency.toUpperCase();
    if (fallback)
      this.warn(
        'currency',
        'NO_MARKET',
        `No market uses ${currency}. The order was added to the market ${fallback.id} and keeps its currency.`,
      );
    else this.fail('market', 'REQUIRED', 'The business has no markets. Add a market in the business settings first.');
    return fallback;
  }

  #email(text: string): string {
    const email = text.trim().toLowerCase();
    // At most 254 characters: measured first.
    const isKnown = email.length <= 254 && /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/.test(email);
    if (email === '' || isKnown) return email;
    // Messages are stored, so they never contain an email address.
    this.warn('email', 'INVALID_FORMAT', 'The email address is invalid and was left out.');
    return '';
  }

  #phone(text: string): string {
    const phone = text.replace(/^'/, '').trim();
    if (phone === '' || /^[+0-9 ()./-]{3,40}$/.test(phone)) return phone;
    this.warn('phone', 'INVALID_FORMAT', 'The phone number is invalid and was left out of the customer record.');
    return '';
  }

  #address(name: string, given: PartialAddress | null): PartialAddress | null {
    const parts = Object.entries(given ?? {})
      .map(([part, text]): [string, string] => [part, (text ?? '').replace(/^'/, '').trim()])
      .filter(([, text]) => text !== '')
      .map(([part, text]): [string, string] => [
        part,
        this.#cut(`${name} ${part}`, text, part === 'phone' ? LIMITS.phone : LIMITS.part),
      ]);
    return parts.length === 0 ? null : (Object.fromEntries(parts) as PartialAddress);
  }

  #note({ note, createdAt }: OrderFacts, id: string) {
    const text = this.#cut('note', note.trim(), LIMITS.note);
    if (text === '') return {};
    return { notes: [{ id: id.replace('ord', 'note'), text, userId: 'import', mentions: [], createdAt }] };
  }

  /** Amounts that add up by our rules. */
  #price(amounts: OrderAmounts) {
    const { rest, ...price } = balance(this.lines, amounts);
    if (rest < 0) this.#warnRest('was added to the discount', rest, amounts.total);
    if (rest > 0) this.#warnRest('was added as the item “Other charges”', rest, amounts.total);
    return price;
  }

  #warnRest(done: string, rest: number, total: number): void {
    const [by, whole] = [writeMoney(Math.abs(rest), this.currency), writeMoney(total, this.currency)];
    this.warn(
      'total',
      'ADJUSTED',
      `The amounts of the order don't add up to its total of ${whole}. The difference of ${by} ${done}.`,
    );
  }

  #payment(facts: OrderFacts, { paid, refunded }: OrderAmounts, total: number) {
    const isPaid = ['PAID', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(facts.payment);
    const received = isPaid ? paid || total : paid;
    if (!isPaid && paid > 0)
      this.warn(
        'payment',
        'PARTIALLY_PAID',
        `The order was partially paid (${writeMoney(paid, this.currency)}). Its payment status is Pending.`,
      );
    const back = Math.min(refunded, received);
    if (back < refunded)
      this.warn(
        'refunded',
        'ADJUSTED',
        `The refund of ${writeMoney(refunded, this.currency)} is higher than the paid amount and was reduced to ${writeMoney(back, this.currency)}.`,
      );
    const whole = facts.payment === 'REFUNDED' && refunded === 0 ? received : back;
    const payment = !isPaid
      ? facts.payment
      : whole === 0
        ? 'PAID'
        : whole < received
          ? 'PARTIALLY_REFUNDED'
          : 'REFUNDED';
    return { paid: received, refunded: whole, payment: received === 0 && isPaid ? facts.payment : payment } as const;
  }

  /** A shipment of the shipped items, unless everything or nothing was shipped. */
  #shipments(
    { status, shippedAt, createdAt }: OrderFacts,
    id: string,
    lines: readonly { id: string; isShipped?: boolean; quantity: number }[],
  ) {
    const shipped = this.lines.filter((line) => line.isShipped);
    const names = new Set(shipped.map((line) => `${line.row} ${line.name}`));
    if (names.size === 0 || status === 'SHIPPED' || status === 'DELIVERED') return {};
    let at = 0;
    const parts = this.lines.flatMap((line) => {
      const count = splitLine(line).length;
      const own = lines.slice(at, at + count);
      at += count;
      return line.isShipped ? own.map(({ id: lineId, quantity }) => ({ lineId, quantity })) : [];
    });
    const time = shippedAt ?? createdAt;
    return { shipments: [{ id: id.replace('ord', 'shp'), lines: parts, createdAt: time, updatedAt: time }] };
  }
}

/** `#1001` and `1001`; null if the number has letters or is too long. */
function numberOf(text: string): number | null {
  const digits = /^#?\s*0*(\d{1,9})$/.exec(text.trim().slice(0, LIMITS.number + 1))?.[1];
  const number = Number(digits);
  return digits !== undefined && number >= 1 && number <= MAX_NUMBER ? number : null;
}

const personOf = (
  { email, name, phone }: { email: string; name: string; phone: string },
  shippingAddress: PartialAddress | null,
  billingAddress: PartialAddress | null,
) => ({
  ...(email ? { email } : {}),
  name: (name || shippingAddress?.name || billingAddress?.name || '').slice(0, LIMITS.name),
  ...(phone ? { phone } : {}),
  ...(shippingAddress ? { shippingAddress } : {}),
  ...(billingAddress ? { billingAddress } : {}),
});

/** `49.999999` becomes `50.00`. */
function rounded(text: string, currency: string): string {
  const digits = writeMoney(0, currency).split('.')[1]?.length ?? 0;
  const [whole, fraction = ''] = text.replace(/^-/, '').split('.');
  if (fraction.length <= digits) return text;
  const scaled = BigInt(whole! + fraction.slice(0, digits)) + (Number(fraction[digits]) >= 5 ? 1n : 0n);
  const minor = writeMoney(Number(scaled), currency);
  return text.startsWith('-') ? `-${minor}` : minor;
}
