import { type Cart, isSoukError } from '@souk/client';
import {
  addItem,
  changeItems,
  findOpenCart,
  isEmpty,
  isSame,
  itemOf,
  keepCart,
  saveChoices,
  setQuantity,
} from '../cart/cart.ts';
import { CartLines, CartProblems, PromoForm } from '../cart/lines.tsx';
import { productsOf, type Shown } from '../cart/products.ts';
import { Totals } from '../cart/totals.tsx';
import { FormProblem } from '../forms.tsx';
import { type Loaded, page, type Visit } from '../page.ts';
import { fill, link } from '../site.ts';

type Data = { cart: Cart | null; products: Record<string, Shown>; notice: string; problem: string };

export default page<Data>({
  path: '/cart',
  personal: true,
  openActions: ['add'],
  async load(visit) {
    const { site, query } = visit;
    const restored = query.get('restore');
    if (restored) return restore(visit, restored);
    const cart = await findOpenCart(visit);
    const isMoved = cart !== null && cart.market !== site.market.id && !isEmpty(cart);
    return show(visit, isMoved ? await changeItems(visit, (items) => items) : cart);
  },
  actions: {
    async add(visit, form) {
      const item = itemOf(form);
      if (!item) return showInvalid(visit);
      if (item.quantity === 0) return { redirect: '/cart', status: 303 };
      const { items } = await addItem(visit, item, form.get('souk_ref'));
      const name = items.find((each) => isSame(each, item))?.name ?? '';
      return { redirect: `/cart?added=${encodeURIComponent(name)}`, status: 303 };
    },
    async quantity(visit, form) {
      const item = itemOf(form);
      if (!item) return showInvalid(visit);
      await setQuantity(visit, item);
      return { redirect: '/cart', status: 303 };
    },
    async remove(visit, form) {
      const item = itemOf(form);
      if (item) await setQuantity(visit, { ...item, quantity: 0 });
      return { redirect: '/cart', status: 303 };
    },
    async promo(visit, form) {
      await saveChoices(visit, { promoCode: form.get('promoCode')?.trim() || null });
      return { redirect: '/cart', status: 303 };
    },
  },
  View({ data: { cart, products, notice, problem }, site, visit: { csrf } }) {
    const { cart: words, checkout, site: common } = site.texts;
    return (
      <main id="main" class={isEmpty(cart) ? 'narrow' : 'with-summary'}>
        <div>
          <h1>{words.title}</h1>
          <FormProblem text={problem || undefined} />
          {notice && (
            <p class="notice good" role="status">
              {notice}
            </p>
          )}
          {isEmpty(cart) ? (
            <>
              <p>{words.empty}</p>
              <p>
                <a href={link(site, '/products')} class="button">
                  {common.allProducts}
                </a>
              </p>
            </>
          ) : (
            <>
              <CartProblems cart={cart!} />
              <CartLines cart={cart!} products={products} csrf={csrf} />
            </>
          )}
        </div>
        {!isEmpty(cart) && (
          <aside class="summary" aria-label={words.summary}>
            <PromoForm cart={cart!} csrf={csrf} action={link(site, '/cart')} />
            {cart!.quote && <Totals price={cart!.quote} />}
            <a href={link(site, '/checkout')} class="button wide">
              {checkout.open}
            </a>
            <p class="quiet small">{words.note}</p>
          </aside>
        )}
      </main>
    );
  },
});

async function show(visit: Visit, cart: Cart | null, problem = ''): Promise<Loaded<Data>> {
  const { site, query, souk } = visit;
  const added = cart?.items.find(({ name }) => name === query.get('added'))?.name;
  const { cart: words } = site.texts;
  const notice = added ? fill(words.added, { name: added }) : query.has('restored') ? words.restored : '';
  return {
    status: problem ? 422 : 200,
    data: {
      cart,
      products: cart ? await productsOf(souk, cart.items) : {},
      notice: query.has('expired') ? words.expired : notice,
      problem,
    },
    head: { title: words.title, noindex: true },
  };
}

const showInvalid = async (visit: Visit) => show(visit, await findOpenCart(visit), visit.site.texts.errors.quantity);

/** Opens the cart from the link in a reminder. */
async function restore(visit: Visit, token: string): Promise<Loaded<Data>> {
  const souk = await visit.begin();
  try {
    keepCart(visit, await souk.carts.restore({ token }));
    return { redirect: '/cart?restored=1', status: 303 };
  } catch (error) {
    if (!isSoukError(error, 'VALIDATION_FAILED', 'CONFLICT')) throw error;
    return { redirect: '/cart?expired=1', status: 303 };
  }
}
