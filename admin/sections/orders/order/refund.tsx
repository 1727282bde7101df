import type { Order } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { CheckField, Form, optional, TextField } from '../../../parts/form/form.tsx';
import { MoneyField } from '../../../parts/form/number-fields.tsx';
import { useAction } from '../../../parts/load.ts';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { money } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { chosenLines, hasWrongQuantity, Quantities } from './quantities.tsx';

type Props = { order: Order; done: (order: Order) => void; close: () => void };

/** Refunds items and shipping, or an amount. By default everything that is left. */
export function RefundDialog({ order, done, close }: Props) {
  const { currency, refundable } = order;
  const left = order.paid - order.refunded;
  const { shipping: shippingLeft = 0, lines: linesLeft = [] } = refundable ?? {};
  const items = linesLeft.filter(({ quantity }) => quantity > 0);
  const [quantities, setQuantities] = useState<Record<string, number | null>>({});
  const [shipping, setShipping] = useState<number | null>(null);
  const [isRestocked, setRestocked] = useState(true);
  const [entered, setEntered] = useState<number | null>();
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const lines = chosenLines(items, quantities);
  const hasParts = lines.length > 0 || (shipping ?? 0) > 0;
  const values = lines.map(({ lineId, quantity }) => {
    const line = items.find((each) => each.lineId === lineId)!;
    return Math.round((line.amount * quantity) / line.quantity);
  });
  const computed = hasParts ? values.reduce((sum, value) => sum + value, shipping ?? 0) : left;
  const amount = entered === undefined ? computed : entered;
  const { run, isBusy, error } = useAction(async () => {
    setChecked(true);
    if (hasWrongQuantity(items, quantities)) return;
    const input = {
      ...(amount === null ? {} : { amount }),
      ...(lines.length > 0 ? { lines: lines.map((line) => ({ ...line, restock: isRestocked })) } : {}),
      ...(shipping ? { shipping } : {}),
      ...(reason ? { reason } : {}),
    };
    done(await souk.orders.refund(order.id, input));
    toast(t('orders.refunded'));
  });
  return (
    <Dialog title={t('orders.refund')} close={close}>
      <Form submit={run} busy={isBusy}>
        {!problemOf(error, 'amount') && <Problem error={error} fields />}
        {items.length > 0 && (
          <Quantities
            order={order}
            isChecked={isChecked}
            error={error}
            legend={optional(t('returns.refundItems'))}
            left={items}
            values={quantities}
            change={(next) => {
              setQuantities(next);
              setEntered(undefined);
            }}
          />
        )}
        {lines.length > 0 && (
          <CheckField label={t('returns.refundRestock')} value={isRestocked} onInput={setRestocked} />
        )}
        {shippingLeft > 0 && (
          <MoneyField
            label={optional(t('returns.refundShipping'))}
            hint={t('returns.refundShippingHint', { amount: money(shippingLeft, currency) })}
            currency={currency}
            value={shipping}
            onInput={(next) => {
              setShipping(next);
              setEntered(undefined);
            }}
            problem={problemOf(error, 'shipping')}
          />
        )}
        <MoneyField
          label={t('orders.refundAmount')}
          hint={t('orders.refundHint', { amount: money(left, currency) })}
          currency={currency}
          value={amount}
          onInput={setEntered}
          problem={
            // The API's message has the amounts in minor units.
            problemOf(error, 'amount') &&
            t('orders.refundRange', { from: money(1, currency), to: money(left, currency) })
          }
        />
        <TextField label={optional(t('orders.refundReason'))} value={reason} onInput={setReason} />
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit" class="danger">
            {t('orders.refundNow', { amount: amount === null ? t('orders.refundRest') : money(amount, currency) })}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
