/** Changes the status of an order, marks it as paid, and refunds it. */
import type { Order, StatusChange } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, optional, SelectField, TextField } from '../../parts/form/form.tsx';
import { MoneyField } from '../../parts/form/number-fields.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { money, statusOf, statusText } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { souk } from '../../shell/session.ts';
import { type TextKey, t } from '../../text/index.ts';
import { STATUSES } from './list.tsx';
import { ShipDialog, toShip } from './ship.tsx';
import { useTracking } from './tracking.tsx';

type Props = { order: Order; done: (order: Order) => void };

type Status = StatusChange['status'];

const NEXT: Record<string, [Status, TextKey]> = {
  PENDING: ['PROCESSING', 'orders.begin'],
  PROCESSING: ['DELIVERED', 'orders.deliver'],
  SHIPPED: ['DELIVERED', 'orders.deliver'],
};
const REFUNDABLE = ['PAID', 'PARTIALLY_REFUNDED'];

export function Moves({ order, done }: Props) {
  const [open, setOpen] = useState<'status' | 'ship' | 'refund' | null>(null);
  const status = statusOf(order.statuses);
  const payment = statusOf(order.paymentStatus);
  const canShip = status === 'PROCESSING' && toShip(order).length > 0;
  const next = canShip ? null : NEXT[status];
  const close = () => setOpen(null);
  const finish = (changed: Order) => {
    close();
    done(changed);
  };
  const move = useAction(async (to: Status) => done(await souk.orders.setStatus(order.id, { status: to })));
  const paid = useAction(async () => done(await souk.orders.setPaymentStatus(order.id, { status: 'PAID' })));
  return (
    <>
      {payment === 'PENDING' && status !== 'CANCELLED' && (
        <button type="button" class="quiet" disabled={paid.isBusy} onClick={paid.run}>
          {t('orders.markPaid')}
        </button>
      )}
      {REFUNDABLE.includes(payment) && (
        <button type="button" class="quiet" onClick={() => setOpen('refund')}>
          {t('orders.refund')}
        </button>
      )}
      <button type="button" class="quiet" onClick={() => setOpen('status')}>
        {t('orders.changeStatus')}
      </button>
      {canShip && (
        <button type="button" onClick={() => setOpen('ship')}>
          {t('orders.shipItems')}
        </button>
      )}
      {next && (
        <button type="button" disabled={move.isBusy} onClick={() => void move.run(next[0])}>
          {t(next[1])}
        </button>
      )}
      <Problem error={paid.error ?? move.error} />
      {open === 'refund' && <RefundDialog order={order} done={finish} close={close} />}
      {open === 'ship' && <ShipDialog order={order} done={finish} close={close} />}
      {open === 'status' && <MoveDialog order={order} done={finish} close={close} />}
    </>
  );
}

type DialogProps = Props & { close: () => void };

function MoveDialog({ order, done, close }: DialogProps) {
  const [status, setStatus] = useState(statusOf(order.statuses));
  const { run, isBusy, error } = useAction(async () =>
    done(
      await souk.orders.setStatus(
        order.id,
        status === 'SHIPPED' ? { status, ...tracking } : { status: status as Status },
      ),
    ),
  );
  // The rest of an order that ships in parts is a shipment of its own.
  const isNew = order.shipments.length > 0 && toShip(order).length > 0;
  const { fields, tracking } = useTracking(isNew ? undefined : order.tracking, error);
  return (
    <Dialog title={t('orders.changeStatus')} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} fields />
        <SelectField
          label={t('orders.newStatus')}
          value={status}
          onInput={setStatus}
          options={STATUSES.map((each) => [each as string, statusText(each)])}
          hint={t('orders.statusHint')}
        />
        {status === 'SHIPPED' && fields}
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit">{t('parts.save')}</button>
        </div>
      </Form>
    </Dialog>
  );
}

function RefundDialog({ order, done, close }: DialogProps) {
  const left = order.paid - order.refunded;
  const [amount, setAmount] = useState<number | null>(left);
  const [reason, setReason] = useState('');
  const { run, isBusy, error } = useAction(async () => {
    const input = { ...(amount === null ? {} : { amount }), ...(reason ? { reason } : {}) };
    done(await souk.orders.refund(order.id, input));
    toast(t('orders.refunded'));
  });
  return (
    <Dialog title={t('orders.refund')} close={close}>
      <Form submit={run} busy={isBusy}>
        {!problemOf(error, 'amount') && <Problem error={error} />}
        <MoneyField
          label={t('orders.refundAmount')}
          hint={t('orders.refundHint', { amount: money(left, order.currency) })}
          currency={order.currency}
          value={amount}
          onInput={setAmount}
          problem={
            // The API's message has the amounts in minor units.
            problemOf(error, 'amount') &&
            t('orders.refundRange', { from: money(1, order.currency), to: money(left, order.currency) })
          }
        />
        <TextField label={optional(t('orders.refundReason'))} value={reason} onInput={setReason} />
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit" class="danger">
            {t('orders.refundNow', {
              amount: amount === null ? t('orders.refundRest') : money(amount, order.currency),
            })}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
