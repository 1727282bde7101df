/** Components shared by the pages. */
import { isSoukError, type Product, priceIn } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { addToCart } from './cart.ts';
import { ChooseDialog } from './choices.tsx';
import { firstAvailable, imageOf, marketId, money } from './shop.ts';

/** A page's heading. It receives focus when the page appears, so that screen readers announce the page. */
export function Title({ children, text }: { children?: ComponentChildren; text: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const isFirst = document.title === 'Demo shop' && document.activeElement === document.body;
    document.title = `${text} – Demo shop`;
    if (!isFirst && document.activeElement?.id !== 'search') heading.current?.focus({ preventScroll: true });
  }, [text]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children ?? text}
    </h1>
  );
}

/** Shops in the EU must show it with every reduction. */
export function LowestPrice({
  price: { lowestPrice30, currency },
}: {
  price: { lowestPrice30?: number; currency: string };
}) {
  if (lowestPrice30 === undefined) return null;
  return (
    <span class="lowest-price">Lowest price in the 30 days before the sale: {money(lowestPrice30, currency)}</span>
  );
}

function Price({ product }: { product: Product }) {
  const prices = product.variants.flatMap((variant) => priceIn(variant, marketId.value) ?? []);
  const lowest = prices.sort((a, b) => a.price - b.price)[0];
  if (!lowest) return <p class="price quiet">Not available in your country</p>;
  const before = lowest.compareAtPrice;
  return (
    <p class="price">
      {lowest.price === 0 ? 'Free' : money(lowest.price, lowest.currency)}
      {before != null && before > lowest.price && (
        <>
          {' '}
          <s>
            <span class="visually-hidden">Regular price </span>
            {money(before, lowest.currency)}
          </s>
          <LowestPrice price={lowest} />
        </>
      )}
    </p>
  );
}

/** An image, or a quiet placeholder if there is none. */
export const ProductImage = ({ src, alt = '', size }: { src: string | undefined; alt?: string; size: number }) => (
  <img
    src={src ?? '/pages/no-image.svg'}
    alt={alt}
    width={size}
    height={size}
    loading={size < 800 ? 'lazy' : 'eager'}
  />
);

export function ProductCard({ product, canAdd = true }: { product: Product; canAdd?: boolean }) {
  const id = useId();
  const variant = firstAvailable(product);
  const [isChoosing, setChoosing] = useState(false);
  const add = () => (variant && product.variants.length === 1 ? addToCart(product, variant) : setChoosing(true));
  const canBuy = product.variants.some((each) => priceIn(each, marketId.value));
  return (
    <li class="card">
      <a href={`/shop/products/${product.slug}`} class="card-link">
        <ProductImage src={imageOf(product)} size={400} />
        <span id={id} class="card-name">
          {product.name}
        </span>
      </a>
      <div class="card-foot">
        <Price product={product} />
        {canAdd &&
          (variant ? (
            <button type="button" class="add" aria-describedby={id} onClick={add}>
              Add to cart
            </button>
          ) : (
            canBuy && <span class="tag">Sold out</span>
          ))}
      </div>
      {isChoosing && <ChooseDialog product={product} close={() => setChoosing(false)} />}
    </li>
  );
}

export const Skeletons = ({ count }: { count: number }) => (
  <ul class="grid" aria-hidden="true">
    {Array.from({ length: count }, (_, i) => (
      <li key={i} class="card skeleton" />
    ))}
  </ul>
);

/** An empty page with a link. */
export const Empty = ({
  title,
  text,
  href = '/',
  link,
}: {
  title: string;
  text: string;
  href?: string;
  link: string;
}) => (
  <main id="main" class="empty">
    <Title text={title} />
    <p class="quiet">{text}</p>
    <a href={href} class="button">
      {link}
    </a>
  </main>
);

/** Shown below a list with more items. */
export const More = ({ isBusy, onMore }: { isBusy: boolean; onMore: () => void }) => (
  <p class="load-more">
    <button type="button" class="quiet" disabled={isBusy} onClick={onMore}>
      Show more
    </button>
  </p>
);

/** Shows an error, how to fix it, and the request ID for support. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // On phones the message may be far above the button that caused it.
  useEffect(() => {
    if (!retry) box.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (!error) return null;
  const known = isSoukError(error) ? error : null;
  const isUnreachable = known?.status === 0 || known?.status === 503;
  return (
    <div ref={box} class="notice bad" role="alert">
      <p>
        {isUnreachable
          ? retry
            ? "This page can't be loaded right now. Retrying…"
            : "Can't connect to the shop. Your cart is saved. Try again in a moment."
          : (known?.message ?? 'Something went wrong. Reload the page.')}
      </p>
      {known?.requestId && known.status >= 500 && !isUnreachable && <p class="small">Request ID: {known.requestId}</p>}
      {retry && (
        <button type="button" class="quiet" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

type FieldProps = {
  label: string;
  type?: 'text' | 'email' | 'password' | 'tel';
  autocomplete: string;
  value: string;
  onInput: (value: string) => void;
  /** When the customer leaves the field. */
  onLeave?: () => void;
  problem: string | undefined;
  isOptional?: boolean;
  inputMode?: 'numeric' | 'text' | undefined;
  /** Shown below the field while there is no problem. */
  hint?: ComponentChildren;
  /** The choices of a select. */
  choices?: { code: string; name: string }[] | undefined;
};

/** A text field, or a select if it has choices. */
export function Field({ label, type = 'text', autocomplete, value, onInput, onLeave, ...rest }: FieldProps) {
  const { problem, isOptional = false, inputMode, hint, choices } = rest;
  const id = useId();
  const note = problem ? 'problem' : hint ? 'hint' : undefined;
  const shared = {
    id,
    autocomplete: autocomplete as 'on',
    required: !isOptional,
    value,
    onBlur: onLeave,
    'aria-invalid': problem ? true : undefined,
    'aria-describedby': note && `${id}-${note}`,
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional && <span class="optional"> (optional)</span>}
      </label>
      {choices ? (
        <select {...shared} onChange={(event) => onInput(event.currentTarget.value)}>
          {!choices.some(({ code }) => code === value) && <option value="">Choose</option>}
          {choices.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={type as 'text'}
          inputMode={inputMode}
          onInput={(event) => onInput(event.currentTarget.value)}
        />
      )}
      {problem ? (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} class="field-hint">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

/** The error message for one field of a form. */
export const problemOf = (error: unknown, field: string) =>
  isSoukError(error) ? error.detail(field)?.message : undefined;
