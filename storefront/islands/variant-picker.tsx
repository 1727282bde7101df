import { type Product, priceIn, type Variant } from '@souk/client';
import { useEffect, useState } from 'preact/hooks';
import { useSite } from '../island.tsx';
import { Price, PriceNote, type ShippingNote } from '../price.tsx';
import { fill, firstAvailable, isAvailable, link } from '../site.ts';
import { attributeOf, optionsOf, variantWith } from '../variants.ts';

/** Only what the form needs, because the props are sent to the browser. `shipping`: null if shipping is free. */
type VariantPickerProps = { product: Pick<Product, 'id' | 'variants'>; shipping: ShippingNote | null };

/** Chooses a variant and adds it to the cart. Without the script, each variant is one choice. */
export function VariantPicker({ product, shipping }: VariantPickerProps) {
  const site = useSite();
  const { product: words } = site.texts;
  const [chosenId, choose] = useState(firstAvailable(product as Product, site)?.id ?? product.variants[0]?.id);
  const variant = product.variants.find(({ id }) => id === chosenId) ?? product.variants[0];
  return (
    <form action={link(site, '/cart')} method="post" class="product-form">
      <input type="hidden" name="action" value="add" />
      <input type="hidden" name="productId" value={product.id} />
      <Price price={variant && priceIn(variant, site.market.id)} isLarge />
      <PriceNote shipping={variant?.requiresShipping ? shipping : null} />
      {product.variants.length > 1 ? (
        <Choices variants={product.variants} chosen={variant} choose={choose} />
      ) : (
        <input type="hidden" name="variantId" value={variant?.id} />
      )}
      {variant && <Stock variant={variant} />}
      <div class="buy">
        <label>
          <span>{words.quantity}</span>
          <input type="number" name="quantity" min="1" max="99" value="1" />
        </label>
        <button type="submit" disabled={!product.variants.some((each) => isAvailable(each, site))}>
          {words.addToCart}
        </button>
      </div>
    </form>
  );
}

type ChoicesProps = { variants: Variant[]; chosen: Variant | undefined; choose: (id: string) => void };

/** One group of choices per option. The server renders one group with all variants, which needs no script. */
function Choices({ variants, chosen, choose }: ChoicesProps) {
  const site = useSite();
  const [isLive, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  const options = optionsOf(variants);
  if (!options || options.length === 1 || !isLive) {
    const name = options?.length === 1 ? options[0]!.name : site.texts.product.variant;
    return (
      <Group
        legend={name}
        field="variantId"
        items={variants.map((each) => ({ variant: each, text: attributeOf(each, name) ?? each.name }))}
        isChosen={({ id }) => id === chosen?.id}
        choose={choose}
      />
    );
  }
  return (
    <>
      <input type="hidden" name="variantId" value={chosen?.id} />
      {options.map(({ name, values }) => (
        <Group
          key={name}
          legend={name}
          field={`option:${name}`}
          items={values.map((text) => ({ variant: variantWith(variants, chosen, name, text, site)!, text }))}
          isChosen={(each) => chosen !== undefined && attributeOf(chosen, name) === attributeOf(each, name)}
          choose={choose}
        />
      ))}
    </>
  );
}

type GroupProps = {
  legend: string;
  field: string;
  items: { variant: Variant; text: string }[];
  isChosen: (variant: Variant) => boolean;
  choose: (id: string) => void;
};

function Group({ legend, field, items, isChosen, choose }: GroupProps) {
  const site = useSite();
  return (
    <fieldset class="choices">
      <legend class="capital">{legend}</legend>
      {items.map(({ variant, text }) => (
        <label key={text} class={isAvailable(variant, site) ? '' : 'gone'}>
          <input
            type="radio"
            name={field}
            value={field === 'variantId' ? variant.id : text}
            checked={isChosen(variant)}
            onChange={() => choose(variant.id)}
          />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

function Stock({ variant: { inventory } }: { variant: Variant }) {
  const { product: words } = useSite().texts;
  if (!inventory.tracked) return null;
  const { quantity, lowStockThreshold = 0 } = inventory;
  if (quantity === 0) return <p class="stock bad-text">{words.soldOut}</p>;
  const isLow = quantity <= Math.max(lowStockThreshold, 3);
  return <p class="stock">{isLow ? fill(words.fewLeft, { count: quantity }) : words.inStock}</p>;
}
