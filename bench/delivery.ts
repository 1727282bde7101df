/** CPU time of pricing a cart, with one rate per market and with 200 zones and 5,000 tax rates: `node bench/delivery.ts`. */
import type { Configs } from '../src/domains/businesses/index.ts';
import { cartRequestOf, checkCart } from '../src/domains/pricing/index.ts';

const RUNS = 5000;
const market = { id: 'us', currency: 'usd', taxBps: 800 };

const plain: Configs = {
  markets: [market],
  shippingMethods: [{ id: 'post', prices: [{ market: 'us', amount: 500 }], taxable: true }],
};

const large: Configs = {
  markets: [market],
  shippingMethods: [
    {
      id: 'post',
      prices: [],
      zones: Array.from({ length: 200 }, (_, i) => ({
        countries: ['US'],
        zips: [`${String(i).padStart(3, '0')}*`, `${90_000 + 10 * i}-${90_009 + 10 * i}`],
        rates: [{ market: 'us', amount: i }],
      })),
    },
  ],
  taxClasses: ['standard', 'reduced', 'books'].map((id) => ({ id, name: id })),
  taxRates: Array.from({ length: 5000 }, (_, i) => ({
    id: `r${i}`,
    name: 'Sales tax',
    country: 'US',
    zips: [`${90_000 + i}`],
    bps: i,
    classId: ['standard', 'reduced', 'books'][i % 3]!,
  })),
  tax: { origin: 'US', shipping: 'PROPORTIONAL' },
};

const items = ['a', 'b', 'c'].map((productId) => ({ productId, variantId: 'v', quantity: 2 }));
const sellables = items.map(({ productId, variantId }, i) => ({
  productId,
  variantId,
  productName: 'Mug',
  variantName: '',
  sku: '',
  options: [],
  image: null,
  active: true,
  tracked: false,
  quantity: 0,
  isWatched: false,
  weight: 400,
  taxClassId: ['standard', 'reduced', 'books'][i]!,
  prices: [{ marketId: 'us', currency: 'usd', price: 1990 }],
}));
const shippingAddress = { street: '1 Main Street', city: 'Los Angeles', state: 'CA', zip: '91230', country: 'US' };
const input = { market: 'us', shippingMethodId: 'post', items, shippingAddress };

/** Microseconds per cart. The first cart compiles the settings. */
function measure(configs: Configs): number {
  const price = () => {
    const request = cartRequestOf(input, { forCheckout: true });
    const result = checkCart(request, { configs, sellables, promo: null, vatValid: false, nowSeconds: 0 });
    if ('errors' in result) throw new Error(JSON.stringify(result.errors));
  };
  for (let i = 0; i < 500; i++) price();
  const before = process.cpuUsage();
  for (let i = 0; i < RUNS; i++) price();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / RUNS;
}

const [small, whole] = [measure(plain), measure(large)];
console.log(`one rate: ${small.toFixed(1)} µs, 200 zones and 5,000 rates: ${whole.toFixed(1)} µs of CPU per cart`);
