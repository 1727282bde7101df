import type { Order, Quote } from '@souk/client';
import { money } from '../../parts/show.tsx';
import { locale, t } from '../../text/index.ts';

type Summed = Pick<Order | Quote, 'display' | 'taxBps' | 'currency' | 'promoCode'>;

export const percent = (bps: number) =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 2 }).format(bps / 10_000);

export function Sums({ order, refunded = 0 }: { order: Summed; refunded?: number }) {
  const { display, taxBps, currency, promoCode } = order;
  const { taxIncluded, subtotal, discount, shipping, tax, total } = display;
  const rows: [string, number][] = [[t('orders.subtotal'), subtotal]];
  if (discount > 0)
    rows.push([promoCode ? t('orders.discountWith', { code: promoCode }) : t('orders.discount'), -discount]);
  rows.push([t('orders.shipping'), shipping]);
  if (!taxIncluded) rows.push([t('orders.taxOf', { percent: percent(taxBps) }), tax]);
  return (
    <>
      <dl class="sums">
        {rows.map(([text, amount]) => (
          <div key={text}>
            <dt>{text}</dt>
            <dd class="amount">{money(amount, currency)}</dd>
          </div>
        ))}
        <div class="total">
          <dt>{t('orders.total')}</dt>
          <dd class="amount">{money(total, currency)}</dd>
        </div>
        {refunded > 0 && (
          <div>
            <dt>{t('orders.refundedSum')}</dt>
            <dd class="amount">{money(-refunded, currency)}</dd>
          </div>
        )}
      </dl>
      {taxIncluded && tax > 0 && (
        <p class="sums-note">{t('orders.taxIncluded', { amount: money(tax, currency), percent: percent(taxBps) })}</p>
      )}
    </>
  );
}
