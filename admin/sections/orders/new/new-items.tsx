/** The items of a new order: variant and quantity of each product. */
import { type Product, priceIn } from '@souk/client';
import { SelectField } from '../../../parts/form/form.tsx';
import { NumberField } from '../../../parts/form/number-fields.tsx';
import { problemOf } from '../../../parts/problem.tsx';
import { money } from '../../../parts/show.tsx';
import { t } from '../../../text/index.ts';

export type Item = { product: Product; variantId: string; quantity: number };

type ItemsProps = { items: Item[]; market: string; change: (items: Item[]) => void; error: unknown };

export function Items({ items, market, change, error }: ItemsProps) {
  const set = (i: number, part: Partial<Item>) =>
    change(items.map((each, j) => (i === j ? { ...each, ...part } : each)));
  return (
    <>
      {items.map(({ product, variantId, quantity }, i) => {
        const variant = product.variants.find(({ id }) => id === variantId);
        const price = variant && priceIn(variant, market);
        return (
          <fieldset key={`${product.id} ${i}`} class="new-line">
            <legend>{product.name}</legend>
            <SelectField
              label={t('orders.variant')}
              value={variantId}
              onInput={(id) => set(i, { variantId: id })}
              options={product.variants.map(({ id, name }) => [id, name])}
              hint={variant?.inventory.tracked ? t('orders.inStock', { count: variant.inventory.quantity }) : undefined}
              problem={problemOf(error, `items[${i}].variantId`) ?? problemOf(error, `lines[${i}].variantId`)}
            />
            <NumberField
              label={t('orders.quantity')}
              value={quantity}
              onInput={(value) => set(i, { quantity: Math.max(1, Math.trunc(value ?? 1)) })}
              problem={problemOf(error, `items[${i}].quantity`) ?? problemOf(error, `lines[${i}].quantity`)}
            />
            <p class="amount">{price ? money(price.price * quantity, price.currency) : '–'}</p>
            <button
              type="button"
              class="icon"
              aria-label={t('parts.removeItem', { name: product.name })}
              onClick={() => change(items.filter((_, j) => j !== i))}
            >
              ×
            </button>
          </fieldset>
        );
      })}
    </>
  );
}
