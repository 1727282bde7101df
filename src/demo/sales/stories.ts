import { variantId } from '../catalog.ts';
import { DAY, HOUR, startOfDay } from '../past.ts';
import { addressIn, type Person } from './people.ts';
import { type PlannedOrder, PROMO_CODE } from './planned-order.ts';

/** Fixed recent orders: one shipped, one waiting for cash, one partially refunded. */
export function stories(now: number): PlannedOrder[] {
  const guest = (name: string, country: string, street: string, place: string): Person => {
    const email = `${name.split(' ')[0]!.toLowerCase()}@example.com`;
    const market = country === 'US' ? 'us' : 'eu';
    const shippingAddress = addressIn(country, { name, street, place });
    const address = `${name}, ${street}, ${place}`;
    return { name, email, market, address, shippingAddress, ip: '192.0.2.77', hasAccount: false };
  };
  const [ada, grace, alan] = [
    guest('Ada Moreau', 'FR', '14 rue des Lilas', '69004 Lyon'),
    guest('Grace Whitfield', 'US', '7 Harbor Road', 'Portland, OR 97205'),
    guest('Alan Brooks', 'US', '1 Market Street', 'San Francisco, CA 94105'),
  ];
  const today = startOfDay(now);
  const order = (at: number, person: Person) => ({ at, person, market: person.market });
  const item = (slug: string, choice: string, quantity: number) => [{ slug, variantId: variantId(choice), quantity }];
  const [shirts, cushion, sweater] = [today - 2 * DAY + 18 * HOUR, today - 2 * DAY + 15 * HOUR, today - 6 * HOUR];
  return [
    {
      ...order(shirts, alan!),
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'standard',
      promoCode: null,
      items: item('linen-shirt', 'S', 2),
      steps: [
        { do: 'pay', at: shirts + 90 },
        {
          do: 'ship',
          at: today - DAY + 10 * HOUR,
          tracking: { carrier: 'Demo Post', number: 'DP 0042 1187', url: 'https://post.example/track/DP00421187' },
        },
      ],
    },
    {
      ...order(sweater, ada!),
      paymentMethod: 'CASH',
      shippingMethodId: 'pickup',
      promoCode: null,
      items: item('merino-sweater', 'S', 1),
      steps: [],
    },
    {
      ...order(cushion, grace!),
      paymentMethod: 'CREDIT_CARD',
      shippingMethodId: 'express',
      promoCode: PROMO_CODE,
      items: item('linen-cushion', 'Sage', 1),
      steps: [
        { do: 'pay', at: cushion + 75 },
        { do: 'refund', at: today - 8 * HOUR, share: 0.25, reason: 'Express shipping delayed by a day.' },
      ],
    },
  ];
}
