/** Writes the emails to an order's customer. Pure. */
import type { Mail } from '../../../providers/mail/port.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { BusinessRow } from '../../businesses/index.ts';
import { displayOf } from '../../pricing/index.ts';
import { type MailKind, type OrderDoc, type OrderRow, paymentLines } from '../order.ts';

/** `amount`: the refunded amount. `link`: the page of the order. */
type MailDetails = { kind: MailKind; amount: number | null; link: string };

export function writeMail(
  business: BusinessRow,
  order: OrderRow,
  to: string,
  { kind, amount, link }: MailDetails,
): Mail {
  const { doc, number } = order;
  const money = (minor: number) => formatMoney(minor, doc.currency);
  const words: Record<MailKind, { subject: string; opening: string }> = {
    RECEIVED: {
      subject: `Order #${number} confirmed`,
      opening: `Thank you for your order from ${business.name}. Your order number is #${number}.`,
    },
    PAID: doc.mailed?.includes('RECEIVED')
      ? {
          subject: `Payment received for order #${number}`,
          opening: `We received your payment of ${money(doc.total)} for order #${number}.`,
        }
      : {
          subject: `Order #${number} confirmed`,
          opening: `Thank you for your order from ${business.name}. We received your payment of ${money(doc.total)}. Your order number is #${number}.`,
        },
    SHIPPED: {
      subject: `Order #${number} is on its way`,
      opening: `Your order #${number} from ${business.name} is on its way.`,
    },
    CANCELLED: {
      subject: `Order #${number} canceled`,
      opening: `Your order #${number} from ${business.name} was canceled.`,
    },
    REFUNDED: {
      subject: `Refund for order #${number}`,
      opening: `We refunded ${money(amount ?? 0)} for order #${number}.`,
    },
  };
  const { subject, opening } = words[kind];
  const rows = paymentLines(doc).map(
    ({ name, quantity, unitPrice }) => `  ${quantity} × ${name}   ${money(quantity * unitPrice)}`,
  );
  const { taxIncluded, tax } = displayOf(doc);
  const { fromName, replyTo } = business.configs.email ?? {};
  return {
    to,
    subject,
    text: [
      opening,
      ...(kind === 'SHIPPED' ? trackingRows(doc) : []),
      '',
      ...rows,
      `  Total   ${money(doc.total)}`,
      ...(taxIncluded && tax > 0 ? [`  Includes ${money(tax)} VAT`] : []),
      '',
      `View your order: ${link}`,
      '',
      business.name,
    ].join('\n'),
    fromName: fromName ?? singleLine(business.name),
    ...(replyTo ? { replyTo } : {}),
  };
}

const trackingRows = ({ tracking: { carrier, number, url } = {} }: OrderDoc): string[] =>
  [[carrier, number].filter(Boolean).join(' '), url ?? ''].filter(Boolean);

const singleLine = (text: string) => text.replaceAll(/[\r\n]+/g, ' ');
