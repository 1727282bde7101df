/** Returns of an order: those it has, and a form for a new one or for a withdrawal. */
import type { Order, Return, ReturnInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { useAction, useLoad } from '../load.ts';
import { Problem } from '../parts.tsx';
import { souk } from '../shop.ts';

type Type = ReturnInput['type'];

const TYPES: Record<Type, string> = { RETURN: 'Return', WITHDRAWAL: 'Withdrawal', EXCHANGE: 'Exchange' };
const STATUSES: Record<Return['status'], string> = {
  REQUESTED: 'Requested',
  APPROVED: 'Approved',
  REJECTED: 'Rejected',
  RECEIVED: 'Received',
  CLOSED: 'Completed',
};
const momentOf = (seconds: number) =>
  new Date(seconds * 1000).toLocaleString('en', { dateStyle: 'long', timeStyle: 'long' });

/** The quantity of each line that can be withdrawn from, or that was shipped and can be sent back. */
function itemsOf({ lines, shipments, cancelledLines, returnable, statuses }: Order, isWithdrawal: boolean) {
  const isCancelled = statuses.at(-1)?.status === 'CANCELLED';
  const gone = [...shipments.flatMap((shipment) => shipment.lines), ...cancelledLines];
  const sum = (list: readonly { lineId: string; quantity: number }[], id: string) =>
    list.reduce((all, { lineId, quantity }) => all + (lineId === id ? quantity : 0), 0);
  return lines.flatMap(({ id, name, variantName, quantity }) => {
    const waiting = isWithdrawal && !isCancelled ? quantity - sum(gone, id) : 0;
    const most = sum(returnable, id) + Math.max(0, waiting);
    return most > 0 ? [{ lineId: id, name: [name, variantName].filter(Boolean).join(', '), most }] : [];
  });
}

export function OrderReturns({ order, reload }: { order: Order; reload: () => void }) {
  const [open, setOpen] = useState<'return' | 'withdraw' | null>(null);
  const { data: returns = [] } = useLoad(
    async (signal) => (await souk.orders.listReturns({ orderId: order.id, limit: 100 }, { signal }).page()).items,
    [order],
  );
  const isPlaced = order.paid > 0 || order.paymentMethod === 'CASH';
  const done = () => {
    setOpen(null);
    reload();
  };
  return (
    <>
      {returns.length > 0 && <h2>Returns</h2>}
      <ul class="returns">
        {returns.map((each) => (
          <Shown key={each.id} {...each} />
        ))}
      </ul>
      {isPlaced && open === null && (
        <div class="actions">
          {itemsOf(order, false).length > 0 && (
            <button type="button" class="quiet" onClick={() => setOpen('return')}>
              Return or exchange items
            </button>
          )}
          {itemsOf(order, true).length > 0 && (
            <button type="button" class="quiet" onClick={() => setOpen('withdraw')}>
              Withdraw from contract here
            </button>
          )}
        </div>
      )}
      {open && (
        <RequestForm
          key={open}
          order={order}
          isWithdrawal={open === 'withdraw'}
          done={done}
          close={() => setOpen(null)}
        />
      )}
    </>
  );
}

const Shown = ({ type, status, lines, instructions, labelUrl, rejection, createdAt }: Return) => (
  <li>
    <strong>
      {TYPES[type]}: {STATUSES[status]}
    </strong>
    <p class="quiet small">Received on {momentOf(createdAt)}</p>
    <p>{lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}</p>
    {rejection && <p>{rejection}</p>}
    {status === 'APPROVED' && instructions && <p class="instructions">{instructions}</p>}
    {status === 'APPROVED' && labelUrl && <a href={labelUrl}>Open shipping label</a>}
  </li>
);

type FormProps = { order: Order; isWithdrawal: boolean; done: () => void; close: () => void };

function RequestForm({ order, isWithdrawal, done, close }: FormProps) {
  const items = itemsOf(order, isWithdrawal);
  const [quantities, setQuantities] = useState<Record<string, number>>(
    Object.fromEntries(items.map(({ lineId, most }) => [lineId, isWithdrawal ? most : 0])),
  );
  const [type, setType] = useState<Type>(isWithdrawal ? 'WITHDRAWAL' : 'RETURN');
  const [reason, setReason] = useState('');
  const lines = items
    .map(({ lineId }) => ({ lineId, quantity: quantities[lineId] ?? 0, ...(reason ? { reason } : {}) }))
    .filter(({ quantity }) => quantity > 0);
  const { isBusy, error, run } = useAction(async () => {
    await souk.orders.requestReturn(order.id, { type, lines });
    done();
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <h2>{isWithdrawal ? 'Withdraw from contract' : 'Return or exchange items'}</h2>
      <Problem error={error} />
      {items.map(({ lineId, name, most }) => (
        <label key={lineId}>
          {name} (up to {most})
          <input
            type="number"
            min="0"
            max={most}
            value={quantities[lineId]}
            onInput={({ currentTarget }) =>
              setQuantities({ ...quantities, [lineId]: currentTarget.valueAsNumber || 0 })
            }
          />
        </label>
      ))}
      {!isWithdrawal && (
        <>
          <label>
            What would you like?
            <select value={type} onInput={({ currentTarget }) => setType(currentTarget.value as Type)}>
              <option value="RETURN">A refund</option>
              <option value="EXCHANGE">A different item</option>
            </select>
          </label>
          <label>
            Reason (optional)
            <input value={reason} maxLength={500} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
          </label>
        </>
      )}
      <div class="actions">
        <button type="submit" disabled={isBusy || lines.length === 0}>
          {isWithdrawal ? 'Confirm withdrawal' : 'Request return'}
        </button>
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
      </div>
    </form>
  );
}
