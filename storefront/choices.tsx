/** Choosing a variant: one group of choices per option. */
import { type Product, priceIn, type Variant } from '@souk/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { addToCart } from './cart.ts';
import { attributeOf, firstAvailable, isAvailable, marketId, money, optionsOf, variantWith } from './shop.ts';

type Props = { product: Product; chosen: Variant | undefined; choose: (variant: Variant) => void };

export function Choices({ product, chosen, choose }: Props) {
  const options = optionsOf(product);
  if (!options) {
    const items = product.variants.map((variant) => ({ variant, text: variant.name }));
    return <Group name="Variant" items={items} chosen={chosen} choose={choose} />;
  }
  return (
    <>
      {options.map(({ name, values }) => (
        <Group
          key={name}
          name={name}
          items={values.map((value) => ({ variant: variantWith(product, chosen, name, value)!, text: value }))}
          chosen={chosen}
          choose={choose}
          isChosen={(variant) => chosen !== undefined && attributeOf(chosen, name) === attributeOf(variant, name)}
        />
      ))}
    </>
  );
}

type GroupProps = {
  name: string;
  items: { variant: Variant; text: string }[];
  chosen: Variant | undefined;
  choose: (variant: Variant) => void;
  isChosen?: (variant: Variant) => boolean;
};

const Group = ({ name, items, chosen, choose, isChosen = ({ id }) => id === chosen?.id }: GroupProps) => (
  <fieldset class="choices">
    <legend class="capital">{name}</legend>
    {items.map(({ variant, text }) => (
      <label key={text} class={isAvailable(variant) ? '' : 'gone'}>
        <input type="radio" name={name} checked={isChosen(variant)} onChange={() => choose(variant)} />
        <span>{text}</span>
      </label>
    ))}
  </fieldset>
);

/** Asks which variant of a product to add to the cart. */
export function ChooseDialog({ product, close }: { product: Product; close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [chosen, choose] = useState(firstAvailable(product));
  const price = chosen && priceIn(chosen, marketId.value);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="choose" aria-labelledby="choose-title" onClose={close}>
      <form
        method="dialog"
        onSubmit={() => {
          if (chosen) addToCart(product, chosen);
        }}
      >
        <h2 id="choose-title">{product.name}</h2>
        <Choices product={product} chosen={chosen} choose={choose} />
        {price && <p class="price">{price.price === 0 ? 'Free' : money(price.price, price.currency)}</p>}
        <div class="choose-actions">
          <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
            Cancel
          </button>
          <button type="submit" disabled={!chosen || !isAvailable(chosen)}>
            Add to cart
          </button>
        </div>
      </form>
    </dialog>
  );
}
