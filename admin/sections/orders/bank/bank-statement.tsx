/** The incoming payments of a bank statement, to check and record. */
import type { BankEntry, BankStatement } from '@souk/client';
import { useState } from 'preact/hooks';
import { forget, useAction, useLoad } from '../../../parts/load.ts';
import { PageFrame } from '../../../parts/page.tsx';
import { SkeletonRows } from '../../../parts/placeholders.tsx';
import { Problem } from '../../../parts/problem.tsx';
import { DateOnly, money, StatusBadge, statusText } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { href, navigate } from '../../../shell/router.ts';
import { can, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';

/** The limit of a request. */
const MAX_BOOKED = 500;

/** The order number that staff entered for a payment without one. */
type Numbers = Readonly<Record<string, string>>;

const isOpen = ({ state }: BankEntry) => state !== 'ALREADY_BOOKED';
const isExact = ({ state, order }: BankEntry) => state === 'EXACT' && order?.status !== 'CANCELLED';

export default function Page({ id }: { id: string }) {
  const { data, error, reload, set } = useLoad<BankStatement>(`bank statement ${id}`, (signal) =>
    souk.orders.getBankStatement(id, { signal }),
  );
  const remove = useAction(async () => {
    await souk.orders.deleteBankStatement(id);
    forget('bank statements');
    toast(t('bank.deleted'));
    navigate('/orders/bank-statements');
  });
  return (
    <PageFrame
      title={data?.fileName ?? t('bank.statement')}
      back="/orders/bank-statements"
      actions={
        data &&
        can('ORDER_WRITE') && (
          <button type="button" class="quiet" disabled={remove.isBusy} onClick={() => remove.run()}>
            {t('bank.delete')}
          </button>
        )
      }
    >
      <Problem error={error ?? remove.error} {...(error ? { retry: reload } : {})} />
      {!data && !error && <SkeletonRows />}
      {data?.entries.length === 0 && <p class="quiet">{t('bank.noPayments')}</p>}
      {data && data.entries.length > 0 && <Entries key={data.id} statement={data} set={set} />}
    </PageFrame>
  );
}

function Entries({ statement, set }: { statement: BankStatement; set: (statement: BankStatement) => void }) {
  const { entries, skipped } = statement;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(entries.filter(isExact).map((entry) => entry.id)),
  );
  const [numbers, setNumbers] = useState<Numbers>({});
  const ready = entries.filter(
    (entry) => isOpen(entry) && chosen.has(entry.id) && (entry.order || numbers[entry.id]?.trim()),
  );
  const book = useAction(async () => {
    const requested = [];
    for (const entry of ready.slice(0, MAX_BOOKED)) requested.push(await withOrder(entry, numbers[entry.id]));
    set(await souk.orders.bookBankEntries(statement.id, { entries: requested }));
    for (const prefix of ['bank statements', 'order', 'list orders', 'home']) forget(prefix);
    toast(t('bank.booked', { count: requested.length }));
  });
  const toggle = (id: string, isChosen: boolean) =>
    setChosen((previous) => new Set(isChosen ? [...previous, id] : [...previous].filter((each) => each !== id)));
  return (
    <>
      <p class="quiet">{t('bank.checkText')}</p>
      <div class="bank-table">
        <table>
          <thead>
            <tr>
              <th scope="col">
                <span class="visually-hidden">{t('bank.select')}</span>
              </th>
              <th scope="col">{t('bank.payment')}</th>
              <th scope="col" class="amount">
                {t('bank.amount')}
              </th>
              <th scope="col">{t('bank.order')}</th>
              <th scope="col">{t('bank.state')}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td>
                  {isOpen(entry) && can('ORDER_WRITE') && (
                    <input
                      type="checkbox"
                      aria-label={t('bank.selectPayment', {
                        name: entry.name ?? t('bank.erased'),
                        amount: money(entry.amount, entry.currency),
                      })}
                      checked={chosen.has(entry.id)}
                      onChange={({ currentTarget }) => toggle(entry.id, currentTarget.checked)}
                    />
                  )}
                </td>
                <td>
                  <strong>{entry.name ?? t('bank.erased')}</strong>
                  <small class="quiet">
                    <DateOnly at={Date.parse(entry.date) / 1000} /> · {entry.text}
                  </small>
                </td>
                <td class="amount">{money(entry.amount, entry.currency)}</td>
                <td>
                  <OrderCell
                    entry={entry}
                    number={numbers[entry.id] ?? ''}
                    onInput={(number) => {
                      setNumbers({ ...numbers, [entry.id]: number });
                      toggle(entry.id, number.trim() !== '');
                    }}
                  />
                </td>
                <td>
                  <span class={`bank-state ${entry.state}`}>{t(`bank.${entry.state}`)}</span>
                  <small class="quiet">{difference(entry)}</small>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {skipped > 0 && <p class="quiet">{t('bank.skipped', { count: skipped })}</p>}
      <Problem error={book.error} />
      {can('ORDER_WRITE') && (
        <button
          type="button"
          disabled={ready.length === 0 || book.isBusy}
          aria-busy={book.isBusy}
          onClick={() => book.run()}
        >
          {ready.length === 0 ? t('bank.bookNone') : t('bank.book', { count: ready.length })}
        </button>
      )}
    </>
  );
}

type OrderCellProps = { entry: BankEntry; number: string; onInput: (number: string) => void };

function OrderCell({ entry, number, onInput }: OrderCellProps) {
  const { order, name } = entry;
  if (order) {
    return (
      <>
        <a href={href(`/orders/${order.id}`)}>{t('orders.numberOf', { number: order.number })}</a>
        {order.status === 'CANCELLED' && <StatusBadge status={order.status} />}
        <small class="quiet">
          {money(order.total, entry.currency)} · {statusText(order.paymentStatus)}
        </small>
      </>
    );
  }
  if (!isOpen(entry) || !can('ORDER_WRITE')) return null;
  return (
    <input
      type="text"
      inputMode="numeric"
      size={8}
      placeholder="#"
      aria-label={t('bank.orderNumberFor', { name: name ?? t('bank.erased') })}
      value={number}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}

/** The amount that would be missing or overpaid after the payment is recorded. */
function difference({ state, amount, currency, order }: BankEntry): string {
  if (!order || (state !== 'PARTIAL' && state !== 'EXCESS')) return '';
  const rest = order.total - order.received - amount;
  return t(state === 'PARTIAL' ? 'bank.missing' : 'bank.surplus', { amount: money(Math.abs(rest), currency) });
}

/** Throws if no order has this number. */
async function withOrder({ id, order }: BankEntry, number = ''): Promise<{ id: string; orderId?: string }> {
  if (order) return { id };
  const digits = number.trim().replace(/^#/, '');
  const { items } = /^\d+$/.test(digits) ? await souk.orders.list({ query: digits, limit: 1 }).page() : { items: [] };
  if (!items[0]) throw new Error(t('bank.noSuchOrder', { number: digits }));
  return { id, orderId: items[0].id };
}
