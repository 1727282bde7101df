/** A manual order. Its prices match a checkout of the same items. */
import type { Block, ListedProduct, OrderInput } from '@souk/client';
import { useState } from 'preact/hooks';
import { BlockFields } from '../../../parts/blocks/fields.tsx';
import { AddressForms, type AddressValues, addressValues, toAddresses } from '../../../parts/form/address-forms.tsx';
import { Form, optional, SelectField, TextField } from '../../../parts/form/form.tsx';
import { Pick } from '../../../parts/form/pick.tsx';
import { forget, useAction } from '../../../parts/load.ts';
import { PageFrame, Section } from '../../../parts/page.tsx';
import { Problem, problemOf } from '../../../parts/problem.tsx';
import { toast } from '../../../parts/toast.tsx';
import { useSaveKey } from '../../../shell/keys.tsx';
import { navigate } from '../../../shell/router.ts';
import { business, souk } from '../../../shell/session.ts';
import { t } from '../../../text/index.ts';
import { configs } from '../data.ts';
import { orderFields } from '../edit-fields.tsx';
import { useQuote, useShippingOptions } from '../quote.ts';
import { Totals } from '../totals.tsx';
import { CustomerPick, customerIdOf, needsEmail, type Who } from './customer-pick.tsx';
import { type Item, Items } from './new-items.tsx';

type Payment = NonNullable<OrderInput['paymentMethod']>;

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
  const [addresses, setAddresses] = useState<AddressValues>({ shipping: {}, billing: {}, hasBilling: false });
  const [pickup, setPickup] = useState('');
  const [isChecked, setChecked] = useState(false);
  const markets = marketsOf(items);
  const marketId = market || markets[0]?.[0] || '';
  const lines = items.map(({ product, variantId, quantity }) => ({ productId: product.id, variantId, quantity }));
  const { shippingAddress, billingAddress } = toAddresses(addresses);
  const places = {
    ...(shippingAddress ? { shippingAddress } : {}),
    ...(billingAddress ? { billingAddress } : {}),
  };
  const methods = useShippingOptions({ market: marketId, items: lines, shippingAddress });
  const method = methods.find(({ shippingMethodId: id }) => id === shipping) ?? methods[0];
  const { shippingMethodId, locations = [] } = method ?? { shippingMethodId: '' };
  const pickupLocationId = (locations.find(({ id }) => id === pickup) ?? locations[0])?.id;
  const cart = {
    market: marketId,
    ...places,
    ...(pickupLocationId ? { pickupLocationId } : {}),
    ...(shippingMethodId ? { shippingMethodId } : {}),
    ...(promoCode.trim() ? { promoCode: promoCode.trim() } : {}),
  };
  const { quote, error: quoteError } = useQuote({ ...cart, items: lines });
  const { run, isBusy, error } = useAction(async () => {
    setChecked(true);
    if (who === undefined || lines.length === 0) return;
    const order = await souk.orders.create({
      ...cart,
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
              if (chosen) setAddresses(addressValues(chosen));
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
          <Section title={t('orders.items')}>
            <Items items={items} market={marketId} change={setItems} error={problem} />
            <Pick<ListedProduct>
              label={t('orders.addProduct')}
              find={async (query, signal) => (await souk.products.list({ query, limit: 8 }, { signal }).page()).items}
              show={({ id, name, category }) => ({ id, text: name, detail: category })}
              choose={(product) =>
                setItems([...items, { product, variantId: product.variants[0]?.id ?? '', quantity: 1 }])
              }
              problem={isChecked && items.length === 0 ? t('orders.needsItems') : undefined}
            />
          </Section>
          <Section title={t('addresses.title')}>
            <AddressForms
              values={addresses}
              set={(name, value) => setAddresses((before) => ({ ...before, [name]: value }))}
              problem={(field) => problemOf(problem, field)}
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
              options={methods.map(({ shippingMethodId: id, name }) => [id, name])}
              problem={problemOf(problem, 'shippingMethodId')}
            />
          )}
          {locations.length > 1 && (
            <SelectField
              label={t('addresses.pickup')}
              value={pickupLocationId ?? ''}
              onInput={setPickup}
              options={locations.map(({ id, name }) => [id, name] as const)}
              problem={problemOf(problem, 'pickupLocationId')}
            />
          )}
          <SelectField
            label={t('orders.paymentMethod')}
            value={payment}
            onInput={setPayment}
            options={[
              ['CASH', t('orders.payCash')],
              ...(business.value?.configs.bankTransfer ? [['BANK_TRANSFER', t('orders.payBank')] as const] : []),
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
          {quote ? <Totals order={quote} /> : <p class="quiet">{t('orders.quoteEmpty')}</p>}
          <button type="submit" class="full">
            {t('orders.create')}
          </button>
        </Section>
      </Form>
    </PageFrame>
  );
}
