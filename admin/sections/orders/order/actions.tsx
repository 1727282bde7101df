/** Changes the status of an order, marks it as paid, refunds it and returns its items. */
import type { Order, StatusChange } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, SelectField } from '../../../parts/form/form.tsx';
import { useAction } from '../../../parts/load.ts';
import { MoreActions } from '../../../parts/page.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { statusOf, statusText } from '../../../parts/show.tsx';
import { souk } from '../../../shell/session.ts';
import { type TextKey, t } from '../../../text/index.ts';
import { STATUSES } from '../list/list.tsx';
import { RequestReturnDialog, returnItems } from '../returns/request-return.tsx';
import { useTracking } from '../tracking.tsx';
import { RefundDialog } from './refund.tsx';
import { ShipDialog, toShip } from './ship.tsx';

type Props = { order: Order; done: (order: Order) => void };

type Status = StatusChange['status'];

const NEXT: Record<string, [Status, TextKey]> = {
  PENDING: ['PROCESSING', 'orders.begin'],
  PROCESSING: ['DELIVERED', 'orders.deliver'],
  SHIPPED: ['DELIVERED', 'orders.deliver'],
};
const REFUNDABLE = ['PAID', 'PARTIALLY_REFUNDED'];

export function OrderActions({ order, done }: Props) {
  const [open, setOpen] = useState<'status' | 'ship' | 'refund' | 'return' | null>(null);
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
      <MoreActions>
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
        {returnItems(order, 'WITHDRAWAL').length > 0 && (
          <button type="button" class="quiet" onClick={() => setOpen('return')}>
            {t('returns.request')}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => setOpen('status')}>
          {t('orders.changeStatus')}
        </button>
      </MoreActions>
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
      {open === 'return' && <RequestReturnDialog order={order} done={finish} close={close} />}
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
  // The rest of an order that ships in parts is a separate shipment.
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
