/** What staff do with an order: move it on, note a payment, refund. */
import type { Order } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../parts/dialog.tsx';
import { Form, MoneyField, optional, SelectField, TextField } from '../../parts/form.tsx';
import { useAction } from '../../parts/load.ts';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { money, statusOf, statusText } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { souk } from '../../shell/session.ts';
import { type TextKey, t } from '../../text/index.ts';
import { STATUSES } from './list.tsx';

type Props = { order: Order; done: (order: Order) => void };

const NEXT: Record<string, [string, TextKey]> = {
  PENDING: ['PROCESSING', 'orders.begin'],
  PROCESSING: ['SHIPPED', 'orders.ship'],
  SHIPPED: ['DELIVERED', 'orders.deliver'],
};
const REFUNDABLE = ['PAID', 'PARTIALLY_REFUNDED'];

export function Moves({ order, done }: Props) {
  const [open, setOpen] = useState<{ move: string } | 'refund' | null>(null);
  const status = statusOf(order.statuses);
  const payment = statusOf(order.paymentStatus);
  const next = NEXT[status];
  const close = () => setOpen(null);
  const finish = (changed: Order) => {
    close();
    done(changed);
  };
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
      <button type="button" class="quiet" onClick={() => setOpen({ move: status })}>
        {t('orders.changeStatus')}
      </button>
      {next && (
        <button type="button" onClick={() => setOpen({ move: next[0] })}>
          {t(next[1])}
        </button>
      )}
      <Problem error={paid.error} />
      {open === 'refund' && <RefundDialog order={order} done={finish} close={close} />}
      {open && open !== 'refund' && <MoveDialog order={order} to={open.move} done={finish} close={close} />}
    </>
  );
}

function MoveDialog({ order, to, done, close }: Props & { to: string; close: () => void }) {
  const [status, setStatus] = useState(to);
  const [tracking, setTracking] = useState({ carrier: '', number: '', url: '', ...order.tracking });
  const { run, isBusy, error } = useAction(async () => {
    const said = Object.fromEntries(Object.entries(tracking).filter(([, value]) => value !== ''));
    const hasTracking = status === 'SHIPPED' && Object.keys(said).length > 0;
    done(await souk.orders.setStatus(order.id, { status, ...(hasTracking ? { tracking: said } : {}) }));
  });
  const bind = (name: 'carrier' | 'number' | 'url') => ({
    value: tracking[name],
    onInput: (value: string) => setTracking({ ...tracking, [name]: value }),
    problem: problemOf(error, `tracking.${name}`),
  });
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
        {status === 'SHIPPED' && (
          <>
            <TextField label={optional(t('orders.carrier'))} {...bind('carrier')} />
            <TextField label={optional(t('orders.trackingNumber'))} {...bind('number')} />
            <TextField label={optional(t('orders.trackingUrl'))} type="url" {...bind('url')} />
          </>
        )}
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

function RefundDialog({ order, done, close }: Props & { close: () => void }) {
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
            // The service counts in cents.
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
