import type { Order } from '@souk/client';
import { AccountFrame, isLoggedIn } from '../../account/frame.tsx';
import { statusOf } from '../../account/order-view.tsx';
import { page, type Site } from '../../page.ts';
import { date, fill, link, money } from '../../site.ts';

type Data = { orders: Order[]; cursor: string | null; isGuest: boolean };

const SHOWN = 20;

/** Guests see the orders placed in this browser. */
export default page<Data>({
  path: '/account',
  personal: true,
  async load(visit) {
    const { souk, session, query, site } = visit;
    const isGuest = !isLoggedIn(visit);
    if (isGuest && !session?.accessToken) return { redirect: '/login', status: 303 };
    // Without the filter, members would see the orders of all customers.
    const own = isGuest ? {} : { customerId: (await souk.users.me()).id };
    const { items, cursor } = await souk.orders.list({ limit: SHOWN, ...own }).page(query.get('after'));
    return {
      data: { orders: items, cursor, isGuest },
      head: { title: site.texts.account.orders, noindex: true },
    };
  },
  View({ data: { orders, cursor, isGuest }, site, visit: { csrf } }) {
    const { account: words } = site.texts;
    const list = (
      <>
        {isGuest && (
          <p class="notice">
            {words.guestOrders} <a href={link(site, '/login')}>{words.logIn}</a>
          </p>
        )}
        <OrderList orders={orders} site={site} />
        {cursor && (
          <p>
            <a href={link(site, `/account?after=${encodeURIComponent(cursor)}`)} class="button quiet">
              {words.older}
            </a>
          </p>
        )}
      </>
    );
    if (!isGuest)
      return (
        <AccountFrame site={site} current="" csrf={csrf} title={words.orders}>
          {list}
        </AccountFrame>
      );
    return (
      <main id="main" class="narrow">
        <h1>{words.orders}</h1>
        {list}
      </main>
    );
  },
});

function OrderList({ orders, site }: { orders: Order[]; site: Site }) {
  const { account: words, order: names } = site.texts;
  if (orders.length === 0)
    return (
      <p>
        {words.noOrders} <a href={link(site, '/products')}>{site.texts.site.allProducts}</a>
      </p>
    );
  return (
    <ul class="orders">
      {orders.map((order) => (
        <li key={order.id}>
          <a href={link(site, `/account/orders/${order.id}`)}>{fill(names.number, { number: order.number })}</a>
          <span class="quiet">{date(order.createdAt, site)}</span>
          <strong class="state">{statusOf(order, site.texts)}</strong>
          <span class="amount">{money(order.total, order.currency, site)}</span>
        </li>
      ))}
    </ul>
  );
}
