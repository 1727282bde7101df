/** Writes the reminder of a cart. Pure. */
import { textsIn } from '../../../shared/mail/languages.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type PreviewInput, type WrittenMail, writeBusinessMail } from '../../businesses/index.ts';
import type { CartQuote } from '../schemas.ts';

type Shown = Pick<CartQuote, 'currency' | 'display'> & {
  lines: readonly Pick<CartQuote['lines'][number], 'name' | 'variantName' | 'quantity' | 'totalPrice'>[];
};
type About = { price: Shown; name: string; link: string; optOutUrl: string; publicUrl: string };

export function writeReminder(
  { kind, business, language, text }: PreviewInput<'CART_REMINDER'>,
  { price, name, link, optOutUrl, publicUrl }: About,
): WrittenMail {
  const money = (amount: number) => formatMoney(amount, price.currency, language);
  const { cart: texts } = textsIn(language);
  return writeBusinessMail(business, {
    kind,
    language,
    text,
    values: { 'customer.name': name, 'cart.total': money(price.display.total) },
    link: { url: link },
    parts: [
      {
        type: 'items',
        items: price.lines.map(({ name: product, variantName, quantity, totalPrice }) => ({
          name: variantName && variantName !== product ? `${product} (${variantName})` : product,
          quantity,
          amount: money(totalPrice),
        })),
      },
      { type: 'totals', rows: [{ label: texts.total, amount: money(price.display.total), isTotal: true }], notes: [] },
      { type: 'note', text: `${texts.reason}\n${texts.stop}: ${optOutUrl}` },
    ],
    publicUrl,
  });
}
