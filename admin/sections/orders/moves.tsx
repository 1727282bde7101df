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

type Props = { order: Order; done: (order: Order) => void };

type Status = StatusChange['status'];

const NEXT: Record<string, [Status, TextKey]> = {
  PENDING: ['PROCESSING', 'orders.begin'],
  PROCESSING: ['SHIPPED', 'orders.ship'],
  SHIPPED: ['DELIVERED', 'orders.deliver'],
};
const REFUNDABLE = ['PAID', 'PARTIALLY_REFUNDED'];

export function Moves({ order, done }: Props) {
  const [open, setOpen] = useState<'status' | 'ship' | 'refund' | null>(null);
  const status = statusOf(order.statuses);
  const payment = statusOf(order.paymentStatus);
  const next = NEXT[status];
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
      {next && (
        <button
          type="button"
          disabled={move.isBusy}
          onClick={() => (next[0] === 'SHIPPED' ? setOpen('ship') : void move.run(next[0]))}
        >
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

/** The tracking fields of a shipment, and the change they are sent with. */
function useTracking(order: Order, error: unknown) {
  const [tracking, setTracking] = useState({ carrier: '', number: '', url: '', ...order.tracking });
  const given = Object.fromEntries(Object.entries(tracking).filter(([, value]) => value !== ''));
  const bind = (name: 'carrier' | 'number' | 'url') => ({
    value: tracking[name],
    onInput: (value: string) => setTracking({ ...tracking, [name]: value }),
    problem: problemOf(error, `tracking.${name}`),
  });
  const fields = (
    <>
      <TextField label={optional(t('orders.carrier'))} {...bind('carrier')} />
      <TextField label={optional(t('orders.trackingNumber'))} {...bind('number')} />
      <TextField label={optional(t('orders.trackingUrl'))} type="url" {...bind('url')} />
    </>
  );
  const shipped: StatusChange = {
    status: 'SHIPPED',
    ...(Object.keys(given).length > 0 ? { tracking: given } : {}),
  };
  return { fields, shipped };
}

function ShipDialog({ order, done, close }: DialogProps) {
  const { run, isBusy, error } = useAction(async () => {
    done(await souk.orders.setStatus(order.id, shipped));
    toast(t('orders.shipped'));
  });
  const { fields, shipped } = useTracking(order, error);
  return (
    <Dialog title={t('orders.shipTitle', { number: order.number })} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} fields />
        {fields}
        <p class="hint">{order.email ? t('orders.shipHint', { email: order.email }) : t('orders.noEmail')}</p>
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit">{t('orders.ship')}</button>
        </div>
      </Form>
    </Dialog>
  );
}

function MoveDialog({ order, done, close }: DialogProps) {
  const [status, setStatus] = useState(statusOf(order.statuses));
  const { run, isBusy, error } = useAction(async () =>
    done(await souk.orders.setStatus(order.id, status === 'SHIPPED' ? shipped : { status: status as Status })),
  );
  const { fields, shipped } = useTracking(order, error);
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
