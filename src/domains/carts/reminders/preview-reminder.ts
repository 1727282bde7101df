import { textsIn } from '../../../shared/mail/languages.ts';
import type { PreviewInput, WrittenMail } from '../../businesses/index.ts';
import type { Query } from '../context.ts';
import { cartPage } from './cart-page.ts';
import { writeReminder } from './write-reminder.ts';

/** An example of the reminder, for the text editor. */
export function previewReminder(ctx: Query, input: PreviewInput<'CART_REMINDER'>): WrittenMail {
  const [first, second] = textsIn(input.language).example.items;
  const currency = input.business.configs.markets?.[0]?.currency.toLowerCase() ?? 'eur';
  const line = (name: string, quantity: number, totalPrice: number) => ({
    name,
    variantName: '',
    quantity,
    totalPrice,
  });
  const publicUrl = ctx.publicUrl();
  return writeReminder(input, {
    price: {
      currency,
      lines: [line(first, 1, 4900), line(second, 2, 2390)],
      display: { taxIncluded: true, subtotal: 7290, shipping: 0, discount: 0, tax: 1164, total: 7290 },
    },
    name: 'Ada Lovelace',
    link: `${cartPage(ctx, input.business) ?? publicUrl}?restore=example`,
    optOutUrl: `${publicUrl}/cart-reminders/example`,
    publicUrl,
  });
}
