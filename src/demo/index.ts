/** A shop to look at: on an empty database a business with its data and an admin, whose secrets are told once. */
import { randomBytes } from 'node:crypto';
import type { Command, Steps } from '../context/index.ts';
import { type AccountServices, addConfirmedUser, hasUsers } from '../domains/accounts/index.ts';
import { addBusiness, type BusinessServices, type Configs } from '../domains/businesses/index.ts';
import type { CatalogServices, Product } from '../domains/catalog/index.ts';
import type { ContentServices } from '../domains/content/index.ts';
import type { MediaRow, MediaServices } from '../domains/media/index.ts';
import type { NewsletterServices } from '../domains/newsletters/index.ts';
import type { OrderServices } from '../domains/orders/index.ts';
import type { Caller } from '../shared/caller.ts';
import { newId } from '../shared/ids.ts';
import { seedCatalog, storePictures } from './catalog.ts';
import { seedContent, seedOrderNote } from './content.ts';
import { seedNewsletters } from './newsletters.ts';
import { seedOrders } from './orders.ts';

type Services = AccountServices &
  BusinessServices &
  CatalogServices &
  ContentServices &
  MediaServices &
  NewsletterServices &
  OrderServices;

export type DemoSecrets = { businessId: string; email: string; password: string; apiKey: string };

export const DEMO_BUSINESS_ID = 'biz_demo';
const LOCK = 7_301_966_002;

const CONFIGS: Configs = {
  markets: [
    {
      id: 'us',
      name: 'United States',
      currency: 'usd',
      taxMode: 'EXCLUSIVE',
      taxBps: 800,
      paymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'CASH' }, { method: 'FREE' }],
    },
    {
      id: 'eu',
      name: 'European Union',
      currency: 'eur',
      taxMode: 'INCLUSIVE',
      taxBps: 1900,
      paymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'CASH' }, { method: 'FREE' }],
    },
  ],
  shippingMethods: [
    {
      id: 'standard',
      name: 'Standard',
      type: 'SHIPPING',
      prices: [
        { market: 'us', amount: 500, freeAbove: 10_000 },
        { market: 'eu', amount: 490, freeAbove: 10_000 },
      ],
      taxable: true,
      etaText: '3 to 5 days',
    },
    {
      id: 'express',
      name: 'Express',
      type: 'SHIPPING',
      prices: [
        { market: 'us', amount: 1500 },
        { market: 'eu', amount: 1490 },
      ],
      taxable: true,
      etaText: 'Tomorrow',
    },
    {
      id: 'pickup',
      name: 'Pick it up',
      type: 'PICKUP',
      prices: [
        { market: 'us', amount: 0 },
        { market: 'eu', amount: 0 },
      ],
      taxable: false,
      etaText: 'Today',
    },
  ],
  paymentProvider: { type: 'SANDBOX' },
  email: { fromName: 'Demo shop' },
};

/** Null when the database is not empty. Of several processes that start at once one makes the demo. */
export async function seedDemo(system: Steps): Promise<DemoSecrets | null> {
  if (await hasUsers(system.db)) return null;
  const secrets = {
    businessId: DEMO_BUSINESS_ID,
    email: 'admin@example.com',
    password: randomWord(),
    apiKey: `souk_${randomBytes(24).toString('base64url')}`,
  };
  const ctx = system.within(DEMO_BUSINESS_ID, adminOf(secrets)) as Steps<Services>;
  const [passwordHash, pictures] = await Promise.all([
    ctx.accounts.passwords.hash(secrets.password),
    storePictures(ctx),
  ]);
  const products = await ctx.transaction((tx) => makeShop(tx, { secrets, passwordHash, pictures }));
  if (!products) return null;
  // After the shop is committed, because what is sold follows the settings that everybody sees.
  const orderId = await seedOrders(ctx, products);
  await ctx.transaction((tx) => seedOrderNote(tx, orderId));
  return secrets;
}

const adminOf = ({ email, businessId }: DemoSecrets): Caller => ({
  userId: newId('usr'),
  provider: 'EMAIL',
  email,
  isGuest: false,
  isConfirmed: true,
  sessionId: null,
  keyId: null,
  permissions: new Map([[businessId, new Set(['ADMIN' as const])]]),
});

/** Its products. Null: another process has made it. */
async function makeShop(
  ctx: Command<Services>,
  { secrets, passwordHash, pictures }: { secrets: DemoSecrets; passwordHash: string; pictures: MediaRow[] },
): Promise<Product[] | null> {
  const { email, apiKey, businessId: id } = secrets;
  // Another process may be at it, which takes longer than locks usually may.
  await ctx.db`set local lock_timeout = '60s'`;
  await ctx.db`select pg_advisory_xact_lock(${LOCK})`;
  if (await hasUsers(ctx.db)) return null;
  await addConfirmedUser(ctx, { id: ctx.caller.userId, email, name: 'Demo admin', passwordHash, apiKey });
  await addBusiness(ctx, { id, input: { name: 'Demo shop', slug: 'demo', configs: CONFIGS } });
  const products = await seedCatalog(ctx, pictures);
  await seedContent(ctx);
  await seedNewsletters(ctx);
  return products;
}

/** Four groups that can be read aloud; 80 bits. */
function randomWord(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const groups = Array.from({ length: 4 }, () => [...randomBytes(4)].map((byte) => letters[byte % 31]).join(''));
  return groups.join('-');
}
