/** The totals of a cart or an order. */
import type { CartQuote } from '@souk/client';
import { useSite } from '../island.tsx';
import { fill, money as format } from '../site.ts';

type Price = Pick<CartQuote, 'display' | 'currency' | 'taxLines' | 'taxExempt' | 'lines' | 'shippingMethodId'>;

export function Totals({ price }: { price: Price }) {
  const site = useSite();
  const { cart: words } = site.texts;
  const { display, currency, taxExempt, lines, shippingMethodId } = price;
  const { taxIncluded, subtotal, discount, shipping, total } = display;
  const money = (amount: number) => format(amount, currency, site);
  const items = lines.reduce((sum, { totalPrice }) => sum + totalPrice, 0);
  const isShipped = lines.some(({ requiresShipping }) => requiresShipping);
  const taxes = taxRows(price, site);
  return (
    <>
      <dl class="totals">
        <Sum name={words.subtotal} text={money(taxExempt ? items : subtotal)} />
        {taxExempt && items > subtotal && <Sum name={words.reverseCharge} text={money(subtotal - items)} />}
        {discount > 0 && <Sum name={words.discount} text={money(-discount)} />}
        {isShipped && (
          <Sum
            name={words.shipping}
            text={shipping > 0 ? money(shipping) : shippingMethodId === null ? '–' : words.free}
          />
        )}
        {!taxIncluded && taxes.map(({ name, amount }) => <Sum key={name} name={name} text={money(amount)} />)}
        <div class="total" aria-live="polite" aria-atomic="true">
          <dt>{words.total}</dt>
          <dd>{money(total)}</dd>
        </div>
      </dl>
      {taxIncluded &&
        taxes.map(({ name, amount }) => (
          <p key={name} class="quiet small totals-note">
            {fill(words.includes, { amount: money(amount), name })}
          </p>
        ))}
      {taxExempt === 'REVERSE_CHARGE' && <p class="quiet small totals-note">{words.reverseChargeNote}</p>}
    </>
  );
}

const Sum = ({ name, text }: { name: string; text: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{text}</dd>
  </div>
);

/** One row per rate, as on an invoice. The default tax name is translated; a name that the business chose is kept. */
function taxRows(
  { display: { taxIncluded, tax }, taxLines, taxExempt }: Price,
  { texts, locale }: ReturnType<typeof useSite>,
) {
  const { cart: words } = texts;
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const isPlain = taxLines.length === 0 || taxLines.every(({ name }) => name === 'Tax');
  if (isPlain)
    return tax === 0 && (taxIncluded || taxExempt) ? [] : [{ name: taxIncluded ? words.vat : words.tax, amount: tax }];
  return taxLines
    .filter(({ amount }) => amount > 0)
    .map(({ name, bps, amount }) => ({
      name: name.includes('%') ? name : `${name === 'VAT' ? words.vat : name} ${percent.format(bps / 10_000)}`,
      amount,
    }));
}
