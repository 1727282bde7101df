import type { Order, ReturnInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { Form, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { Problem } from '../../../parts/problem.tsx';
import { statusOf } from '../../../parts/show.tsx';
import { toast } from '../../../parts/toast.tsx';
import { navigate } from '../../../shell/router.ts';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { chosenLines, hasWrongQuantity, type LineQuantity, Quantities } from '../order/quantities.tsx';
import { toShip } from '../order/ship.tsx';

type Type = ReturnInput['type'];
const TYPES: Type[] = ['RETURN', 'WITHDRAWAL', 'EXCHANGE'];

/** Items that can be returned. A withdrawal also covers items that were not shipped. */
export function returnItems(order: Order, type: Type): LineQuantity[] {
  const waiting = type === 'WITHDRAWAL' && statusOf(order.statuses) !== 'CANCELLED' ? toShip(order) : [];
  return order.lines.flatMap(({ id: lineId }) => {
    const quantity = [...order.returnable, ...waiting].reduce(
      (sum, line) => sum + (line.lineId === lineId ? line.quantity : 0),
      0,
    );
    return quantity > 0 ? [{ lineId, quantity }] : [];
  });
}

/** If only one item can be returned, it is preselected. */
const onlyItem = ([line, ...others]: LineQuantity[]): Record<string, number | null> =>
  line?.quantity === 1 && others.length === 0 ? { [line.lineId]: 1 } : {};

type Props = { order: Order; done: (order: Order) => void; close: () => void };

/** Creates a return on behalf of the customer and opens it. */
export function RequestReturnDialog({ order, done, close }: Props) {
  const [type, setType] = useState<Type>(order.returnable.length > 0 ? 'RETURN' : 'WITHDRAWAL');
  const [quantities, setQuantities] = useState(() => onlyItem(returnItems(order, type)));
  const [reason, setReason] = useState('');
  const [isChecked, setChecked] = useState(false);
  const left = returnItems(order, type);
  const lines = chosenLines(left, quantities);
  const { run, isBusy, error } = useAction(async () => {
    setChecked(true);
    if (lines.length === 0 || hasWrongQuantity(left, quantities)) return;
    const input = { type, lines: lines.map((line) => ({ ...line, ...(reason ? { reason } : {}) })) };
    const { id } = await souk.orders.requestReturn(order.id, input);
    forget('list returns');
    done(await souk.orders.get(order.id));
    toast(t('returns.requested'));
    navigate(`/orders/returns/${id}`);
  });
  return (
    <Dialog title={t('returns.request')} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} fields />
        <SelectField
          label={t('returns.type')}
          hint={t(`returns.typeHint_${type}`)}
          value={type}
          onInput={setType}
          options={TYPES.filter((each) => returnItems(order, each).length > 0).map((each) => [
            each,
            t(`returns.${each}`),
          ])}
        />
        <Quantities
          order={order}
          left={left}
          isChecked={isChecked}
          error={error}
          legend={t('orders.items')}
          values={quantities}
          change={setQuantities}
        />
        {isChecked && lines.length === 0 && (
          <p class="field-error" role="alert">
            {t('orders.needsQuantity')}
          </p>
        )}
        <TextField label={optional(t('returns.reason'))} value={reason} onInput={setReason} />
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit">{t('returns.request')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
