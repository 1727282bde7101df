import { type CartUpdate, isSoukError, type PartialAddress } from '@souk/client';
import { findOpenCart, isEmpty, saveChoices } from '../cart/cart.ts';
import { CartProblems, PromoForm } from '../cart/lines.tsx';
import { problemTexts } from '../cart/problem-text.ts';
import { Totals } from '../cart/totals.tsx';
import { isZip, withFieldsOf } from '../checkout/check-address.ts';
import { checkOrder, filledProblems } from '../checkout/check-order.ts';
import { choicesIn, isEmail } from '../checkout/choices.ts';
import { DeliveryFields } from '../checkout/delivery-fields.tsx';
import {
  type Checkout,
  findAccount,
  findFormat,
  firstPickup,
  isShippedCart,
  listCountries,
  loadCheckout,
} from '../checkout/load.ts';
import { BillingFields, methodsOf, PaymentFields } from '../checkout/payment-fields.tsx';
import { placeOrder } from '../checkout/place.ts';
import { exampleIn, homeCountry, marketFor, servedCountries } from '../checkout/places.ts';
import { MiniLines } from '../checkout/summary.tsx';
import { OrderButton, Terms } from '../checkout/terms.tsx';
import { Check, Field, FormFields, FormProblem, type Problems, UpdateButton } from '../forms.tsx';
import { type Loaded, page, type Shown, type Visit } from '../page.ts';
import { link } from '../site.ts';

type Data = { checkout: Checkout; problems: Problems; notice: string };

export default page<Data>({
  path: '/checkout',
  personal: true,
  plain: true,
  async load(visit) {
    const cart = await findOpenCart(visit);
    if (isEmpty(cart)) return { redirect: '/cart', status: 303 };
    const { query, site } = visit;
    const notice = query.has('canceled') ? site.texts.checkout.canceled : '';
    const checkout = await loadCheckout(visit, cart!);
    return { ...show(visit, checkout, filledProblems(site, checkout), notice), status: 200 };
  },
  actions: {
    async update(visit, form) {
      const market = await save(visit, form);
      if (market) return { redirect: `/checkout?market=${encodeURIComponent(market)}`, status: 303 };
      const cart = hasInvalidEmail(form) ? await findOpenCart(visit) : null;
      if (isEmpty(cart)) return { redirect: '/checkout', status: 303 };
      // It can't be saved, and the page would show the account's address in its place.
      return show(visit, await loadCheckout(visit, cart!, form), { email: visit.site.texts.errors.email });
    },
    async promo(visit, form) {
      await saveChoices(visit, { promoCode: form.get('promoCode')?.trim() || null });
      return { redirect: '/checkout', status: 303 };
    },
    place,
  },
  View({ data: { checkout, problems, notice }, site, visit: { csrf } }) {
    const { checkout: words, cart: cartWords } = site.texts;
    const { cart, quote, email, isLoggedIn } = checkout;
    return (
      <main id="main" class="with-summary checkout">
        <form id="order" action={link(site, '/checkout')} method="post" data-live="choices" noValidate>
          <FormFields csrf={csrf} />
          <UpdateButton />
          <h1>{words.title}</h1>
          {notice && (
            <p class="notice" role="status">
              {notice}
            </p>
          )}
          <FormProblem text={problems[''] ?? (Object.keys(problems).length > 0 ? words.check : undefined)} />
          <CartProblems cart={cart} />
          <fieldset>
            <legend>{words.contact}</legend>
            <Field
              name="email"
              label={words.email}
              type="email"
              autocomplete="email"
              value={email}
              problem={problems.email}
              hint={!isLoggedIn && <a href={link(site, '/login?next=checkout')}>{words.logIn}</a>}
            />
            {site.business.configs.cartReminder?.enabled && (
              <Check name="reminder" checked={cart.reminder}>
                {words.reminder}
              </Check>
            )}
          </fieldset>
          <DeliveryFields checkout={checkout} problems={problems} />
          <PaymentFields checkout={checkout} problems={problems} methods={methodsOf(site)} isSandbox={site.sandbox} />
          {!checkout.isPickup && <BillingFields checkout={checkout} problems={problems} />}
          <Terms site={site} problems={problems} />
        </form>
        <aside class="summary" aria-label={cartWords.summary}>
          <MiniLines checkout={checkout} />
          <PromoForm cart={cart} csrf={csrf} action={link(site, '/checkout')} />
          {quote && <Totals price={quote} />}
          <OrderButton site={site} checkout={checkout} />
          <p class="quiet small">
            <a href={link(site, '/cart')}>{words.back}</a>
          </p>
        </aside>
      </main>
    );
  },
});

function hasInvalidEmail(form: URLSearchParams): boolean {
  const email = form.get('email')?.trim() ?? '';
  return email !== '' && !isEmail(email);
}

const show = (visit: Visit, checkout: Checkout, problems: Problems = {}, notice = ''): Shown<Data> => ({
  status: Object.keys(problems).length > 0 ? 422 : 200,
  data: { checkout, problems, notice },
  head: { title: visit.site.texts.checkout.title, description: visit.site.texts.checkout.description },
});

/** Saves the choices in the form. Returns the market to switch to if this one does not deliver to the country. */
async function save(visit: Visit, form: URLSearchParams, isOrder = false): Promise<string | null> {
  const cart = await findOpenCart(visit);
  if (!cart) return null;
  const account = await findAccount(visit);
  const all = await listCountries(visit);
  const served = servedCountries(visit.site, all);
  const saved = (account?.addresses ?? []).filter(({ country = '' }) => served.includes(country));
  const choices = choicesIn(form, saved, isShippedCart(cart));
  const country = choices.shippingAddress?.country;
  const market = country ? marketFor(visit.site, country, all) : visit.site.market.id;
  const isMoved = market !== visit.site.market.id;
  const isFirstPickup = form.get('delivery') === 'pickup' && !choices.shippingMethodId;
  const pickup = isFirstPickup ? await firstPickup(visit, cart) : {};
  const shown = cart.shippingAddress ?? exampleIn(visit.site, homeCountry(visit.site, all));
  const hasOldZip = await isOldZip(visit, shown, choices.shippingAddress);
  const moved = hasOldZip ? { shippingAddress: { ...choices.shippingAddress, zip: null } } : {};
  // The name of the person who picks up the order is not an address. The order stores it separately.
  const named = isOrder && form.get('delivery') === 'pickup' ? { billingAddress: null } : {};
  await saveChoices(visit, { ...choices, ...pickup, ...moved, ...named, market });
  return isMoved ? market : null;
}

/** Whether only the country changed, and the postal code is not valid in the new country. */
async function isOldZip(visit: Visit, shown: PartialAddress, address: CartUpdate['shippingAddress']) {
  if (!address?.country || !address.zip || address.country === shown.country || address.zip !== shown.zip) return false;
  const format = await findFormat(visit, address.country);
  return format !== null && !isZip(format, address.zip);
}

async function place(visit: Visit, form: URLSearchParams): Promise<Loaded<Data>> {
  await save(visit, form, true);
  const cart = await findOpenCart(visit);
  // A cart that is not open has an order, which this form may have placed before.
  if (!cart && visit.session?.cartId) return { redirect: '/thanks', status: 303 };
  if (isEmpty(cart)) return { redirect: '/cart', status: 303 };
  const checkout = await loadCheckout(visit, cart!, form);
  const problems = checkOrder(visit.site, checkout, form);
  if (Object.keys(problems).length > 0) return show(visit, checkout, problems);
  try {
    await complete(visit, checkout);
    const placed = await placeOrder(visit, checkout.isPickup ? form.get('name')?.trim() : undefined);
    if (form.has('keep') && checkout.isLoggedIn) await keepAddress(visit, checkout);
    return placed;
  } catch (error) {
    if (!isSoukError(error, 'VALIDATION_FAILED', 'UNAVAILABLE', 'RATE_LIMITED')) throw error;
    const { texts } = visit.site;
    const found = error.details.length > 0 ? problemTexts(error.details, texts) : { '': texts.errors.failed };
    const refused = Object.keys(found).some((field) => /^(items|lines)/.test(field));
    return show(visit, await loadCheckout(visit, cart!, form), refused ? { '': texts.cart.changed } : found);
  }
}

/** The order is valid even if its address can't be saved. */
async function keepAddress({ souk }: Visit, { address, format }: Checkout): Promise<void> {
  const { addresses } = await souk.users.me();
  await souk.users.change({ addresses: [...addresses, withFieldsOf(format, address)] }).catch(() => {});
}

/** The cart has exactly what the page shows, even where the customer kept the default choice. */
async function complete(visit: Visit, checkout: Checkout): Promise<void> {
  const { cart, address, format, billing, billingFormat, isShipped, isPickup, method, locationId } = checkout;
  const main = withFieldsOf(format, address);
  await saveChoices(visit, {
    ...(cart.status === 'OPEN' ? { locale: visit.site.locale } : {}),
    shippingMethodId: method?.shippingMethodId ?? null,
    pickupLocationId: locationId,
    ...(isShipped && !isPickup ? { shippingAddress: main } : {}),
    ...(isShipped ? {} : { billingAddress: main }),
    ...(billing ? { billingAddress: withFieldsOf(billingFormat, billing) } : {}),
    paymentMethod: cart.paymentMethod ?? 'CREDIT_CARD',
  });
}
