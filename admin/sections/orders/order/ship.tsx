import type { Order, ShipmentLine } from '@souk/client';
import { useState } from 'preact/hooks';
import { Dialog } from '../../../parts/dialog.tsx';
import { CheckField, Form } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { useAction } from '../../../parts/load.ts';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { lineText, useProducts } from '../data.ts';
import { useTracking } from '../tracking.tsx';

/** The quantities that require shipping and have not been shipped yet. */
export function toShip({ lines, shipments, cancelledLines }: Order): ShipmentLine[] {
  const shipped = [...shipments.flatMap((shipment) => shipment.lines), ...cancelledLines];
  return lines.flatMap(({ id: lineId, quantity, requiresShipping = true }) => {
    const sent = shipped.reduce((sum, line) => sum + (line.lineId === lineId ? line.quantity : 0), 0);
    return requiresShipping && quantity > sent ? [{ lineId, quantity: quantity - sent }] : [];
  });
}

type Props = { order: Order; done: (order: Order) => void; close: () => void };

/** Ships items, by default everything left. */
export function ShipDialog({ order, done, close }: Props) {
  const products = useProducts(order);
  const left = toShip(order);
  const [quantities, setQuantities] = useState<Record<string, number | null>>({});
  const [isNotified, setNotified] = useState(true);
  const [isChecked, setChecked] = useState(false);
  const quantityOf = ({ lineId, quantity }: ShipmentLine) => {
    const entered = quantities[lineId];
    return entered === undefined ? quantity : (entered ?? 0);
  };
  const isWrong = (line: ShipmentLine) => {
    const quantity = quantityOf(line);
    return !Number.isInteger(quantity) || quantity < 0 || quantity > line.quantity;
  };
  const lines = left.map((line) => ({ ...line, quantity: quantityOf(line) })).filter(({ quantity }) => quantity > 0);
  const { run, isBusy, error } = useAction(async () => {
    setChecked(true);
    if (left.some(isWrong) || lines.length === 0) return;
    await souk.orders.createShipment(order.id, { lines, ...tracking, notify: isNotified });
    done(await souk.orders.get(order.id));
    toast(t('orders.itemsShipped'));
  });
  const { fields, tracking } = useTracking(order.shipments.length === 0 ? order.tracking : undefined, error);
  /** A limit that changed while the dialog was open, because a colleague shipped something. */
  const refused = (lineId: string) =>
    problemOf(error, `lines[${lines.findIndex((line) => line.lineId === lineId)}].quantity`);
  return (
    <Dialog title={t('orders.shipTitle', { number: order.number })} close={close}>
      <Form submit={run} busy={isBusy}>
        <Problem error={error} fields />
        <fieldset class="ship-lines">
          <legend>{t('orders.items')}</legend>
          {left.map((line) => {
            const { name, variant } = lineText(products, order.lines.find(({ id }) => id === line.lineId)!);
            const range = t('orders.quantityRange', { count: line.quantity });
            return (
              <NumberField
                key={line.lineId}
                label={[name, variant].filter(Boolean).join(', ')}
                suffix={t('orders.ofLeft', { count: line.quantity })}
                value={line.lineId in quantities ? quantities[line.lineId]! : line.quantity}
                onInput={(quantity) => setQuantities({ ...quantities, [line.lineId]: quantity })}
                problem={(isChecked && isWrong(line) ? range : undefined) ?? refused(line.lineId)}
              />
            );
          })}
          {isChecked && lines.length === 0 && (
            <p class="field-error" role="alert">
              {t('orders.needsQuantity')}
            </p>
          )}
        </fieldset>
        {fields}
        {order.email ? (
          <CheckField
            label={t('orders.notify')}
            hint={t('orders.notifyHint', { email: order.email })}
            value={isNotified}
            onInput={setNotified}
          />
        ) : (
          <p class="hint">{t('orders.noEmail')}</p>
        )}
        <div class="actions end">
          <button type="button" class="quiet" onClick={close}>
            {t('parts.cancel')}
          </button>
          <button type="submit">{t('orders.shipItems')}</button>
        </div>
      </Form>
    </Dialog>
  );
}
