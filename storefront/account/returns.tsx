/** Returns of an order: those it has, and a form for a new one or for a withdrawal. */
import type { Order, Return } from '@souk/client';
import { FormFields } from '../forms.tsx';
import { useSite } from '../island.tsx';
import { date, link } from '../site.ts';

const TYPES = { RETURN: 'return', EXCHANGE: 'exchange', WITHDRAWAL: 'withdrawal' } as const;

export function Returns({ returns }: { returns: Return[] }) {
  const site = useSite();
  const { order: words, returnStatus } = site.texts;
  if (returns.length === 0) return null;
  return (
    <section>
      <h2>{words.returns}</h2>
      <ul class="returns">
        {returns.map(({ id, type, status, lines, instructions, labelUrl, rejection, createdAt }) => (
          <li key={id}>
            <strong>
              {words[TYPES[type]]}: {returnStatus[status]}
            </strong>
            <p class="quiet small">{date(createdAt, site)}</p>
            <p>{lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')}</p>
            {rejection && <p>{rejection}</p>}
            {status === 'APPROVED' && instructions && <p class="instructions">{instructions}</p>}
            {status === 'APPROVED' && labelUrl && <a href={labelUrl}>{words.label}</a>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The quantity of each line that can be withdrawn from, or that was shipped and can be sent back. */
function itemsOf({ lines, shipments, cancelledLines, returnable, statuses }: Order) {
  const isCancelled = statuses.at(-1)?.status === 'CANCELLED';
  const gone = [...shipments.flatMap((shipment) => shipment.lines), ...cancelledLines];
  const sum = (list: readonly { lineId: string; quantity: number }[], id: string) =>
    list.reduce((all, { lineId, quantity }) => all + (lineId === id ? quantity : 0), 0);
  return lines.flatMap(({ id, name, variantName, quantity }) => {
    const waiting = isCancelled ? 0 : Math.max(0, quantity - sum(gone, id));
    const most = sum(returnable, id) + waiting;
    return most > 0 ? [{ lineId: id, name: [name, variantName].filter(Boolean).join(', '), most }] : [];
  });
}

export function ReturnForm({ order, csrf }: { order: Order; csrf: string }) {
  const site = useSite();
  const { order: words } = site.texts;
  const items = itemsOf(order);
  // If there is only one item, it is preselected.
  const initial = items.length === 1 && items[0]!.most === 1 ? 1 : 0;
  if (items.length === 0 || (order.paid === 0 && order.paymentMethod !== 'CASH')) return null;
  return (
    <details class="return-form">
      <summary>{words.startReturn}</summary>
      <form action={link(site, `/account/orders/${order.id}`)} method="post">
        <FormFields csrf={csrf} action="return" />
        {items.map(({ lineId, name, most }) => (
          <div key={lineId} class="field">
            <label for={`line-${lineId}`}>{name}</label>
            <input id={`line-${lineId}`} type="number" name={`line:${lineId}`} min="0" max={most} value={initial} />
          </div>
        ))}
        <div class="field">
          <label for="type">{words.returnType}</label>
          <select id="type" name="type">
            <option value="RETURN">{words.return}</option>
            <option value="EXCHANGE">{words.exchange}</option>
            <option value="WITHDRAWAL">{words.withdrawal}</option>
          </select>
          <p class="field-hint">{words.exchangeHint}</p>
          <p class="field-hint">{words.withdrawalHint}</p>
        </div>
        <div class="field">
          <label for="note">{words.note}</label>
          <textarea id="note" name="note" rows={3} maxLength={1000} />
        </div>
        <button type="submit">{words.sendReturn}</button>
      </form>
    </details>
  );
}
