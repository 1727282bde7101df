/** A shipping zone in one line: `Germany, Austria` and `€4.90, free from €50`. */
import type { Market, ShippingRate, ShippingZone } from '@souk/client';
import { isoName } from '../../../parts/form/iso.ts';
import { tidyMoney } from '../../../parts/show.tsx';
import { t } from '../../../text/index.ts';

const MAX_COUNTRIES = 4;

/** Empty if the zone has no countries yet. */
export function zoneName({ countries, states = [], zips = [] }: ShippingZone, eu: readonly string[]): string {
  const isEu = eu.length > 0 && eu.every((country) => countries.includes(country));
  const rest = isEu ? countries.filter((country) => !eu.includes(country)) : countries;
  const names = [...(isEu ? [t('parts.eu')] : []), ...rest.map((country) => isoName('region', country))];
  const shown = names.slice(0, MAX_COUNTRIES).join(', ');
  const count = names.length - MAX_COUNTRIES;
  const text = count > 0 ? t('shipping.moreCountries', { names: shown, count }) : shown;
  const area = [...states, ...zips];
  return area.length > 0 && text
    ? `${text} (${area.slice(0, MAX_COUNTRIES).join(', ')}${area.length > MAX_COUNTRIES ? '…' : ''})`
    : text;
}

const ratesOf = <R extends Pick<ShippingRate, 'market'>>(rates: readonly R[], { id }: Pick<Market, 'id'>): R[] =>
  rates.filter(({ market }) => market.toLowerCase() === id.toLowerCase());

export type RateKind = 'NONE' | 'FLAT' | 'WEIGHT' | 'SUBTOTAL' | 'BOTH';

export function kindOf(rates: readonly ShippingRate[]): RateKind {
  const byWeight = rates.some(({ minWeight, maxWeight }) => minWeight !== undefined || maxWeight !== undefined);
  const byValue = rates.some(({ minSubtotal, maxSubtotal }) => minSubtotal !== undefined || maxSubtotal !== undefined);
  if (rates.length === 0) return 'NONE';
  return byWeight ? (byValue ? 'BOTH' : 'WEIGHT') : byValue ? 'SUBTOTAL' : 'FLAT';
}

export function ratesText(rates: readonly ShippingRate[], markets: readonly Market[]): string {
  const texts = markets.flatMap((market) => {
    const text = marketText(ratesOf(rates, market), market.currency);
    return text === '' ? [] : [markets.length > 1 ? `${market.name || market.id}: ${text}` : text];
  });
  return texts.join(' · ') || t('shipping.noDelivery');
}

function marketText(rates: readonly ShippingRate[], currency: string): string {
  if (rates.length === 0) return '';
  const amounts = rates.map(({ amount }) => amount);
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  const one = (amount: number) => (amount === 0 ? t('shipping.free') : tidyMoney(amount, currency));
  const range = low === high ? one(low) : `${tidyMoney(low, currency)}–${tidyMoney(high, currency)}`;
  const kind = kindOf(rates);
  const price =
    rates.length === 1 || kind === 'FLAT'
      ? range
      : t(kind === 'SUBTOTAL' ? 'shipping.byValue' : 'shipping.byWeight', { price: range });
  const free = rates.flatMap(({ freeAbove }) => (freeAbove === undefined ? [] : [freeAbove]));
  return free.length === 0 ? price : t('shipping.freeFrom', { price, amount: tidyMoney(Math.min(...free), currency) });
}
