/** An order written by hand, with the price that a checkout of the same basket would have. */
import {
  type Block,
  type Customer,
  createClient,
  type ListedProduct,
  type OrderInput,
  type Product,
  priceIn,
  type Quote,
} from '@souk/client';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { BlockFields } from '../../parts/blocks/fields.tsx';
import { Form, NumberField, optional, SelectField, TextField } from '../../parts/form.tsx';
import { forget, useAction } from '../../parts/load.ts';
import { PageFrame, Section } from '../../parts/page.tsx';
import { Pick } from '../../parts/pick.tsx';
import { Problem, problemOf } from '../../parts/problem.tsx';
import { money } from '../../parts/show.tsx';
import { toast } from '../../parts/toast.tsx';
import { useSaveKey } from '../../shell/keys.tsx';
import { navigate } from '../../shell/router.ts';
import { souk } from '../../shell/session.ts';
import { t } from '../../text/index.ts';
import { configs } from './data.ts';
import { orderFields } from './edit-fields.tsx';
import { Sums } from './sums.tsx';

type Item = { product: Product; variantId: string; quantity: number };
/** Null: a guest. Undefined: not chosen yet. */
type Who = Customer | null | undefined;
type Payment = NonNullable<OrderInput['paymentMethod']>;

const QUOTE_MS = 200;

/** Whoever has an account is mailed there. */
const needsEmail = (who: Who) => who !== undefined && !who?.userId;

/** An order belongs to an account; who has none is a guest, as in the shop. */
async function customerIdOf(who: Customer | null): Promise<string> {
  if (who?.userId) return who.userId;
  const { userId } = await createClient({ baseUrl: '' }).users.login({ provider: 'GUEST' });
  return userId;
}

function marketsOf(items: Item[]): (readonly [string, string])[] {
  const { markets = [] } = configs();
  if (markets.length > 0) return markets.map(({ id, name }) => [id, name ?? id]);
  const ids = items.flatMap(({ product }) => product.variants.flatMap(({ pricing }) => pricing.markets));
  return [...new Set(ids.map(({ marketId }) => marketId))].map((id) => [id, id]);
}

export default function NewOrder() {
  const [who, setWho] = useState<Who>();
  const [items, setItems] = useState<Item[]>([]);
  const [market, setMarket] = useState(configs().markets?.[0]?.id ?? '');
  const [shipping, setShipping] = useState('');
  const [promoCode, setPromoCode] = useState('');
  const [payment, setPayment] = useState<Payment | ''>('CASH');
  const [email, setEmail] = useState('');
  const [blocks, setBlocks] = useState<Block[]>([]);
  const [isChecked, setChecked] = useState(false);
  const markets = marketsOf(items);
  const marketId = market || markets[0]?.[0] || '';
  const methods = (configs().shippingMethods ?? []).filter(({ prices }) =>
    prices.some((each) => each.market === marketId),
  );
  const shippingMethodId = methods.some(({ id }) => id === shipping) ? shipping : (methods[0]?.id ?? '');
  const basket = {
    market: marketId,
    ...(shippingMethodId ? { shippingMethodId } : {}),
    ...(promoCode.trim() ? { promoCode: promoCode.trim() } : {}),
  };
  const lines = items.map(({ product, variantId, quantity }) => ({ productId: product.id, variantId, quantity }));
  const { quote, error: quoteError } = useQuote({ ...basket, items: lines });
  const { run, isBusy, error } = useAction(async () => {
    setChecked(true);
    if (who === undefined || lines.length === 0) return;
    const order = await souk.orders.create({
      ...basket,
      customerId: await customerIdOf(who),
      lines,
      ...(payment ? { paymentMethod: payment } : {}),
      ...(needsEmail(who) && email.trim() ? { email: email.trim() } : {}),
      ...(blocks.length > 0 ? { blocks } : {}),
    });
    forget('list orders');
    toast(t('orders.created', { number: order.number }));
    navigate(`/orders/${order.id}`);
  });
  useSaveKey(run);
  const problem = error ?? quoteError;

  return (
    <PageFrame title={t('orders.new')} back="/orders">
      <Form submit={run} busy={isBusy} class="columns">
        <div>
          <Problem error={error} fields />
          <CustomerPick
            who={who}
            choose={(chosen) => {
              setWho(chosen);
              setEmail(chosen?.email ?? '');
            }}
            isMissing={isChecked && who === undefined}
          >
            {needsEmail(who) && (
              <TextField
                label={optional(t('orders.email'))}
                type="email"
                hint={t('orders.emailHint')}
                value={email}
                onInput={setEmail}
                problem={problemOf(error, 'email')}
              />
            )}
          </CustomerPick>
          <Section title={t('orders.lines')}>
            <Items items={items} market={marketId} change={setItems} error={problem} />
            <Pick<ListedProduct>
              label={t('orders.addProduct')}
              find={async (query, signal) => (await souk.products.list({ query, limit: 8 }, { signal }).page()).items}
              show={({ id, name, category }) => ({ id, text: name, detail: category })}
              choose={(product) =>
                setItems([...items, { product, variantId: product.variants[0]?.id ?? '', quantity: 1 }])
              }
              problem={isChecked && items.length === 0 ? t('orders.needsLines') : undefined}
            />
          </Section>
          {orderFields().length > 0 && (
            <Section title={t('orders.fields')}>
              <BlockFields value={blocks} onInput={setBlocks} error={error} definitions={orderFields()} />
            </Section>
          )}
        </div>
        <Section title={t('orders.quoteTitle')}>
          <SelectField label={t('orders.market')} value={marketId} onInput={setMarket} options={markets} />
          {methods.length > 0 && (
            <SelectField
              label={t('orders.shippingMethod')}
              value={shippingMethodId}
              onInput={setShipping}
              options={methods.map(({ id, name }) => [id, name ?? id])}
              problem={problemOf(problem, 'shippingMethodId')}
            />
          )}
          <SelectField
            label={t('orders.paymentMethod')}
            value={payment}
            onInput={setPayment}
            options={[
              ['CASH', t('orders.payCash')],
              ['FREE', t('orders.payFree')],
              ['', t('orders.payNone')],
            ]}
          />
          <TextField
            label={optional(t('orders.promoCode'))}
            value={promoCode}
            onInput={setPromoCode}
            problem={problemOf(problem, 'promoCode')}
          />
          {quote ? <Sums order={quote} /> : <p class="quiet">{t('orders.quoteEmpty')}</p>}
          <button type="submit" class="full">
            {t('orders.create')}
          </button>
        </Section>
      </Form>
    </PageFrame>
  );
}

/** Asked for anew with each change. */
function useQuote(input: Parameters<typeof souk.payments.quote>[0]): { quote: Quote | null; error: unknown } {
  const [state, setState] = useState<{ quote: Quote | null; error: unknown }>({ quote: null, error: undefined });
  const key = JSON.stringify(input);
  useEffect(() => {
    if (!input.items?.length || !input.market) return setState({ quote: null, error: undefined });
    const controller = new AbortController();
    const timer = setTimeout(() => {
      souk.payments.quote(input, { signal: controller.signal }).then(
        (quote) => setState({ quote, error: undefined }),
        (error) => !controller.signal.aborted && setState({ quote: null, error }),
      );
    }, QUOTE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key]);
  return state;
}

type PickProps = { who: Who; choose: (who: Who) => void; isMissing: boolean; children: ComponentChildren };

function CustomerPick({ who, choose, isMissing, children }: PickProps) {
  return (
    <Section title={t('orders.customer')}>
      {who !== undefined && (
        <p>
          {who ? t('orders.pickChosen', { name: who.name || who.email || who.id }) : t('orders.pickGuestText')}{' '}
          <button type="button" class="link" onClick={() => choose(undefined)}>
            {t('orders.change')}
          </button>
        </p>
      )}
      {who === undefined && (
        <>
          <Pick<Customer>
            label={t('orders.pickCustomer')}
            find={async (query, signal) => (await souk.customers.list({ query, limit: 8 }, { signal }).page()).items}
            show={({ id, name, email }) => ({ id, text: name || email || id, detail: name ? (email ?? '') : '' })}
            choose={choose}
            problem={isMissing ? t('orders.needsCustomer') : undefined}
          />
          <button type="button" class="quiet" onClick={() => choose(null)}>
            {t('orders.pickGuest')}
          </button>
        </>
      )}
      {children}
    </Section>
  );
}

type ItemsProps = { items: Item[]; market: string; change: (items: Item[]) => void; error: unknown };

function Items({ items, market, change, error }: ItemsProps) {
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
              min={1}
              value={quantity}
              onInput={(value) => set(i, { quantity: Math.max(1, Math.trunc(value ?? 1)) })}
              problem={problemOf(error, `items[${i}].quantity`) ?? problemOf(error, `lines[${i}].quantity`)}
            />
            <p class="amount">{price ? money(price.price * quantity, price.currency) : '–'}</p>
            <button
              type="button"
              class="icon"
              aria-label={`${t('parts.remove')} ${product.name}`}
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
