/** Converts a promo code to form values and back. Keeps conditions without a form field. */
import type { PromoCode, PromoInput } from '@souk/client';
import { money } from '../../parts/show.tsx';
import { business } from '../../shell/session.ts';
import { locale, t } from '../../text/index.ts';

export type DiscountType = 'ITEMS_PERCENTAGE' | 'ITEMS_FIXED' | 'SHIPPING_PERCENTAGE';
export type Discount = { type: DiscountType; marketId?: string; bps?: number; amount?: number };
type Condition = { type: string; value: unknown };
export type PromoStatus = NonNullable<PromoInput['status']>;

export type Values = {
  code: string;
  status: string;
  discounts: Discount[];
  minAmount: number | null;
  start: number | null;
  end: number | null;
  maxUses: number | null;
  maxUsesPerUser: number | null;
  products: string[];
  others: Condition[];
};

export const EMPTY: Values = {
  code: '',
  status: 'ACTIVE',
  discounts: [{ type: 'ITEMS_PERCENTAGE', bps: 1000 }],
  minAmount: null,
  start: null,
  end: null,
  maxUses: null,
  maxUsesPerUser: null,
  products: [],
  others: [],
};

export function toForm(promo: PromoCode): Values {
  const left = [...(promo.conditions as Condition[])];
  /** Takes the first condition of this type. */
  const take = <T>(type: string): T | undefined => {
    const at = left.findIndex((each) => each.type === type);
    return at < 0 ? undefined : (left.splice(at, 1)[0]!.value as T);
  };
  const range = take<{ start: number | null; end: number | null }>('DATE_RANGE');
  return {
    code: promo.code,
    status: promo.statuses.at(-1)?.status ?? 'DRAFT',
    discounts: promo.discounts as Discount[],
    minAmount: take<number>('MIN_ORDER_AMOUNT') ?? null,
    start: range?.start ?? null,
    end: range?.end ?? null,
    maxUses: take<number>('MAX_USES') ?? null,
    maxUsesPerUser: take<number>('MAX_USES_PER_USER') ?? null,
    products: take<string[]>('PRODUCTS') ?? [],
    others: left,
  };
}

/** The conditions to send, each with its form field. */
export function conditionsOf(values: Values): (Condition & { field?: keyof Values })[] {
  const { minAmount, start, end, maxUses, maxUsesPerUser, products, others } = values;
  return [
    ...(minAmount === null ? [] : [{ type: 'MIN_ORDER_AMOUNT', value: minAmount, field: 'minAmount' as const }]),
    ...(start === null && end === null ? [] : [{ type: 'DATE_RANGE', value: { start, end }, field: 'end' as const }]),
    ...(maxUses === null ? [] : [{ type: 'MAX_USES', value: maxUses, field: 'maxUses' as const }]),
    ...(maxUsesPerUser === null
      ? []
      : [{ type: 'MAX_USES_PER_USER', value: maxUsesPerUser, field: 'maxUsesPerUser' as const }]),
    ...(products.length === 0 ? [] : [{ type: 'PRODUCTS', value: products, field: 'products' as const }]),
    ...others,
  ];
}

export function toInput(values: Values): Omit<PromoInput, 'status'> {
  const conditions = conditionsOf(values).map(({ type, value }) => ({ type, value }));
  return {
    code: values.code.trim(),
    discounts: values.discounts as PromoInput['discounts'],
    conditions: conditions as NonNullable<PromoInput['conditions']>,
  };
}

export const markets = () => business.value?.configs.markets ?? [];
export const currencyOf = (marketId: string | undefined) =>
  (markets().find(({ id }) => id === marketId) ?? markets()[0])?.currency ?? 'usd';

/** A discount in words: “10% off items”. */
export function describe({ type, bps = 0, amount = 0, marketId }: Discount): string {
  const share = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000);
  const text =
    type === 'ITEMS_FIXED'
      ? t('promoCodes.offAmount', { amount: money(amount, currencyOf(marketId)) })
      : t(type === 'ITEMS_PERCENTAGE' ? 'promoCodes.offItems' : 'promoCodes.offShipping', { share });
  const market = markets().find(({ id }) => id === marketId)?.name ?? marketId;
  return market ? t('promoCodes.inMarket', { text, market }) : text;
}
