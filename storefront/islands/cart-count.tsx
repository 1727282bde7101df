import { useEffect, useState } from 'preact/hooks';
import { useSite } from '../island.tsx';

const CART_COOKIE = 'souk_cart';

/** The number of items in the cart. Pages are cached without it; the server keeps it in a cookie. */
export function CartCount() {
  const { texts } = useSite();
  const [count, setCount] = useState(0);
  useEffect(() => {
    const read = () => setCount(Number(new RegExp(`(?:^|; )${CART_COOKIE}=(\\d+)`).exec(document.cookie)?.[1] ?? 0));
    read();
    // A page from the back/forward cache shows an old number.
    addEventListener('pageshow', read);
    addEventListener('souk:cart', read);
    return () => {
      removeEventListener('pageshow', read);
      removeEventListener('souk:cart', read);
    };
  }, []);
  return (
    <span class="count" hidden={count === 0}>
      {count}
      <span class="visually-hidden"> {texts.site.items}</span>
    </span>
  );
}
