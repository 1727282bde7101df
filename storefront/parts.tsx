/** The small parts that pages are made of. */
import { isSoukError, type Product, priceIn } from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { addToBasket } from './basket.ts';
import { firstAvailable, marketId, money, pictureOf } from './shop.ts';

/** A page's heading. It takes the focus when the page appears, so that people who do not see it know where they are. */
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

export function Price({ product }: { product: Product }) {
  const prices = product.variants.flatMap((variant) => priceIn(variant, marketId.value) ?? []);
  const lowest = prices.sort((a, b) => a.price - b.price)[0];
  if (!lowest) return <p class="price quiet">Not sold in this country</p>;
  const before = lowest.compareAtPrice;
  return (
    <p class="price">
      {lowest.price === 0 ? 'Free' : money(lowest.price, lowest.currency)}
      {before != null && before > lowest.price && (
        <>
          {' '}
          <s>
            <span class="visually-hidden">before </span>
            {money(before, lowest.currency)}
          </s>
        </>
      )}
    </p>
  );
}

export function ProductCard({ product, canAdd = true }: { product: Product; canAdd?: boolean }) {
  const id = useId();
  const variant = firstAvailable(product);
  const canBuy = product.variants.some((each) => priceIn(each, marketId.value));
  return (
    <li class="card">
      <a href={`/shop/products/${product.slug}`} class="card-link">
        <img src={pictureOf(product)} alt="" width="400" height="400" loading="lazy" />
        <span id={id} class="card-name">
          {product.name}
        </span>
      </a>
      <div class="card-foot">
        <Price product={product} />
        {canAdd &&
          (variant ? (
            <button type="button" class="add" aria-describedby={id} onClick={() => addToBasket(product, variant)}>
              Add to basket
            </button>
          ) : (
            canBuy && <span class="tag">Sold out</span>
          ))}
      </div>
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

/** A page with nothing on it but the way on. */
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

/** Below a list that goes on. */
export const More = ({ isBusy, onMore }: { isBusy: boolean; onMore: () => void }) => (
  <p class="more-of-it">
    <button type="button" class="quiet" disabled={isBusy} onClick={onMore}>
      Show more
    </button>
  </p>
);

/** What went wrong, what to do about it, and a number to quote. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  // What a button led to may stand far above it on a phone.
  useEffect(() => {
    if (!retry) box.current?.scrollIntoView({ block: 'nearest' });
  }, [error]);
  if (!error) return null;
  const known = isSoukError(error) ? error : null;
  const isAway = known?.status === 0 || known?.status === 503;
  return (
    <div ref={box} class="notice bad" role="alert">
      <p>
        {isAway
          ? `The shop does not answer right now. Nothing is lost: ${retry ? 'we go on trying' : 'try again in a moment'}.`
          : (known?.message ?? 'Something went wrong in this page. Please reload it.')}
      </p>
      {known?.requestId && known.status >= 500 && !isAway && <p class="small">Request {known.requestId}</p>}
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
  type: 'text' | 'email' | 'password';
  autocomplete:
    | 'email'
    | 'name'
    | 'street-address'
    | 'postal-code'
    | 'address-level2'
    | 'new-password'
    | 'current-password';
  value: string;
  onInput: (value: string) => void;
  problem: string | undefined;
};

export function Field({ label, type, autocomplete, value, onInput, problem }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type={type as 'text'}
        autocomplete={autocomplete}
        required
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
      />
      {problem && (
        <p id={`${id}-problem`} class="field-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

/** What the service says about one field of a form. */
export const problemOf = (error: unknown, field: string) =>
  isSoukError(error) ? error.detail(field)?.message : undefined;
