/** Fields for the quantities of some lines of an order, for the shipment, refund and return dialogs. */
import type { Order } from '@souk/client';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { problemOf } from '../../../parts/problem.tsx';
import { t } from '../../../text/index.ts';
import { lineText, useProducts } from '../data.ts';

export type LineQuantity = { lineId: string; quantity: number };

type Props = {
  order: Order;
  legend: string;
  /** The lines and their maximum quantities. */
  left: readonly LineQuantity[];
  values: Record<string, number | null>;
  change: (values: Record<string, number | null>) => void;
  isChecked: boolean;
  error: unknown;
};

/** The entered quantities above 0. */
export const chosenLines = (left: readonly LineQuantity[], values: Props['values']): LineQuantity[] =>
  left.map(({ lineId }) => ({ lineId, quantity: values[lineId] ?? 0 })).filter(({ quantity }) => quantity > 0);

export const hasWrongQuantity = (left: readonly LineQuantity[], values: Props['values']) =>
  left.some((line) => isWrong(line, values));

const isWrong = ({ lineId, quantity: most }: LineQuantity, values: Props['values']) => {
  const quantity = values[lineId] ?? 0;
  return !Number.isInteger(quantity) || quantity < 0 || quantity > most;
};

export function Quantities({ order, legend, left, values, change, isChecked, error }: Props) {
  const products = useProducts(order);
  const chosen = chosenLines(left, values);
  return (
    <fieldset class="ship-lines">
      <legend>{legend}</legend>
      {left.map((line) => {
        const { name, variant } = lineText(products, order.lines.find(({ id }) => id === line.lineId)!);
        const range = t('orders.quantityRange', { count: line.quantity });
        const position = chosen.findIndex(({ lineId }) => lineId === line.lineId);
        return (
          <NumberField
            key={line.lineId}
            label={[name, variant].filter(Boolean).join(', ')}
            suffix={t('orders.ofLeft', { count: line.quantity })}
            value={line.lineId in values ? values[line.lineId]! : 0}
            onInput={(quantity) => change({ ...values, [line.lineId]: quantity })}
            problem={
              (isChecked && isWrong(line, values) ? range : undefined) ??
              problemOf(error, `lines[${position}].quantity`)
            }
          />
        );
      })}
    </fieldset>
  );
}
