/** The header, footer and messages around every page. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { cartCount, cartNews } from './cart.ts';
import { isUnreachable, useAction, useLoad } from './load.ts';
import { Field, Problem, problemOf } from './parts.tsx';
import { address, navigate } from './router.ts';
import { account, business, chooseMarket, loadBusiness, marketId, markets, souk } from './shop.ts';

const TYPING_MS = 120;

/** Nothing leads away from the checkout but the cart. */
export function Header() {
  useLoad(loadBusiness, []);
  const isCheckout = address.value.pathname === '/shop/checkout';
  return (
    <header class="site">
      <div class="site-row">
        <a href="/" class="brand">
          <img src="/pages/icon.svg" alt="" width="32" height="32" />
          {business.value?.name ?? 'Demo shop'}
        </a>
        {!isCheckout && <Search />}
        <nav aria-label="Account and cart" class="yours">
          <a href={account.value ? '/shop/orders' : '/shop/login'}>{account.value ? 'My orders' : 'Log in'}</a>
          <a href="/shop/cart" class="to-cart" aria-describedby="cart-count">
            Cart
          </a>
          <span id="cart-count" class="count" hidden={cartCount.value === 0}>
            {cartCount.value}
            <span class="visually-hidden"> items</span>
          </span>
        </nav>
      </div>
      {!isCheckout && <Categories />}
    </header>
  );
}

/** Searches as you type. */
function Search() {
  const query = address.value.searchParams.get('q') ?? '';
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isSearching = address.value.pathname === '/shop/search';
  useEffect(() => {
    if (!isSearching) setText('');
  }, [isSearching]);
  const search = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      const q = value.trim();
      const replace = location.pathname === '/shop/search';
      if (q) navigate(`/shop/search?q=${encodeURIComponent(q)}`, { replace });
      else if (replace) navigate('/', { replace });
    }, TYPING_MS);
  };
  return (
    <search>
      <form onSubmit={(event) => event.preventDefault()}>
        <label for="search" class="visually-hidden">
          Search
        </label>
        <input
          id="search"
          type="search"
          placeholder="Search"
          autocomplete="off"
          value={text}
          onInput={(event) => search(event.currentTarget.value)}
        />
      </form>
    </search>
  );
}

function Categories() {
  const { data = [] } = useLoad(async (signal) => {
    const found = await souk.products.listCategories({ limit: 12 }, { signal }).take(12);
    return found.map(({ category }) => category);
  }, []);
  const nav = useRef<HTMLElement>(null);
  // On narrow screens the row scrolls.
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>('[aria-current]');
    if (nav.current && current) nav.current.scrollLeft = current.offsetLeft - nav.current.clientWidth / 3;
  }, [address.value.pathname, data.length]);
  const here = decodeURIComponent(address.value.pathname);
  return (
    <nav ref={nav} class="categories" aria-label="Shop">
      <a href="/" aria-current={here === '/' ? 'page' : undefined}>
        All products
      </a>
      {data.map((category) => (
        <a
          key={category}
          href={`/shop/categories/${encodeURIComponent(category)}`}
          aria-current={here === `/shop/categories/${category}` ? 'page' : undefined}
          class="capital"
        >
          {category}
        </a>
      ))}
      <a href="/shop/blog" aria-current={here === '/shop/blog' ? 'page' : undefined}>
        Blog
      </a>
    </nav>
  );
}

/** Messages, announced by screen readers and shown for a moment. */
export function News() {
  const text = cartNews.value;
  useEffect(() => {
    cartNews.value = '';
  }, [address.value.pathname]);
  useEffect(() => {
    if (!text) return;
    const timer = setTimeout(() => {
      cartNews.value = '';
    }, 4000);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      <p class="toast" role="status" data-shown={text !== ''}>
        {text}
      </p>
      <p class="unreachable" role="status" hidden={!isUnreachable.value}>
        {isUnreachable.value && "Can't connect to the shop. Your cart is saved. Reconnecting…"}
      </p>
    </>
  );
}

export function Footer() {
  return (
    <footer class="site-foot">
      <Newsletter />
      <div class="foot-links">
        <a href="/shop/orders">My orders</a>
        <a href="/shop/blog">Blog</a>
        {markets.value.length > 1 && (
          <label>
            <span>Country and currency</span>
            <select value={marketId.value} onChange={(event) => chooseMarket(event.currentTarget.value)}>
              {markets.value.map(({ id, name = id, currency }) => (
                <option key={id} value={id}>
                  {name}, {currency.toUpperCase()}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
    </footer>
  );
}

function Newsletter() {
  const [email, setEmail] = useState('');
  const [done, setDone] = useState('');
  const { isBusy, error, run } = useAction(async () => {
    const [newsletter] = await souk.collections.list({ type: 'NEWSLETTER' }).take(1);
    if (!newsletter) return setDone("This shop doesn't have a newsletter yet.");
    const response = await souk.newsletters.subscribe(newsletter.id, { email, planId: 'free', market: marketId.value });
    setDone(
      'status' in response && response.status === 'ACTIVE'
        ? "Thanks for subscribing! You'll get the next issue by email."
        : 'Almost done. Check your inbox to confirm your subscription.',
    );
  });
  return (
    <form
      class="newsletter"
      onSubmit={(event) => {
        event.preventDefault();
        run();
      }}
    >
      <h2>Newsletter</h2>
      <p>New products and the people who make them, once a month.</p>
      {done ? (
        <p class="notice good" role="status">
          {done}
        </p>
      ) : (
        <div class="joined">
          <Field
            label="Your email"
            type="email"
            autocomplete="email"
            value={email}
            problem={problemOf(error, 'email')}
            onInput={setEmail}
          />
          <button type="submit" disabled={isBusy}>
            Subscribe
          </button>
        </div>
      )}
      {!problemOf(error, 'email') && <Problem error={error} />}
    </form>
  );
}
