/** The actions available to the customer on the order page, and the returns of the order. Pure. */
import type { Language } from '../../../shared/mail/languages.ts';
import { businessLanguage, type Configs } from '../../businesses/index.ts';
import { lineId } from '../../pricing/index.ts';
import type { OrderRow } from '../order.ts';
import {
  DAY_SECONDS,
  isWithinPeriod,
  periodEnd,
  type ReturnRow,
  type ReturnType,
  returnableQuantities,
  viewReturn,
} from './return.ts';
import type { Return } from './schemas.ts';

type Item = { lineId: string; name: string; quantity: number };

export type ReturnOptions = {
  /** The items that the customer can withdraw, and those that can be sent back. Empty after the return period. */
  withdrawal: Item[];
  goods: Item[];
  /** The last day of the period; null while something is left to ship. */
  lastDay: number | null;
  hasEmail: boolean;
  /** The customer's name, taken from the addresses. */
  name: string;
  language: Language;
  timeZone: string;
  returns: Return[];
};

export function returnOptions(
  order: OrderRow,
  rows: readonly ReturnRow[],
  configs: Configs,
  nowSeconds: number,
): ReturnOptions {
  const { billingAddress, shippingAddress, locale } = order.doc;
  const end = periodEnd(order, configs);
  const isOpen = isWithinPeriod(order, configs, nowSeconds);
  const itemsOf = (type: ReturnType): Item[] => {
    const left = returnableQuantities(order, type);
    return order.doc.lines.flatMap((line, i) => {
      const quantity = left.get(lineId(line, i)) ?? 0;
      return isOpen && quantity > 0 ? [{ lineId: lineId(line, i), name: line.name, quantity }] : [];
    });
  };
  return {
    withdrawal: itemsOf('WITHDRAWAL'),
    goods: itemsOf('RETURN'),
    lastDay: end === null ? null : end - DAY_SECONDS,
    hasEmail: order.customerEmail !== null,
    name: billingAddress?.name ?? shippingAddress?.name ?? '',
    language: businessLanguage({ configs }, locale),
    timeZone: configs.profile?.timeZone ?? 'UTC',
    returns: rows.map((row) => viewReturn(row, order, null)),
  };
}
