/** A shop to look at: on an empty database a business with its data and an admin, whose secrets are told once. */
import { randomBytes } from 'node:crypto';
import type { Contexts } from '../context/create.ts';
import type { Command } from '../context/index.ts';
import { inTransaction, type Pool, type Tx } from '../db/connection.ts';
import type { Accounts } from '../domains/accounts/index.ts';
import { addBusiness, type BusinessServices, type Configs } from '../domains/businesses/index.ts';
import type { CatalogServices, Product } from '../domains/catalog/index.ts';
import type { ContentServices } from '../domains/content/index.ts';
import type { Newsletters } from '../domains/newsletters/index.ts';
import type { Orders } from '../domains/orders/index.ts';
import type { Caller } from '../shared/caller.ts';
import { seedCatalog } from './catalog.ts';
import { seedContent, seedOrderNote } from './content.ts';
import { seedNewsletters } from './newsletters.ts';
import { seedOrders } from './orders.ts';
import type { DemoShop } from './shop.ts';

export type Rooms = {
  pool: Pool;
  accounts: Accounts;
  contexts: Contexts;
  orders: Orders;
  newsletters: Newsletters;
};

type DemoCommand = Command<BusinessServices & CatalogServices & ContentServices>;

export type DemoSecrets = { businessId: string; email: string; password: string; apiKey: string };

const BUSINESS_ID = 'biz_demo';
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
export async function seedDemo(rooms: Rooms): Promise<DemoSecrets | null> {
  const { pool, accounts } = rooms;
  if (await accounts.hasUsers(pool)) return null;
  const secrets = {
    businessId: BUSINESS_ID,
    email: 'admin@example.com',
    password: randomWord(),
    apiKey: `souk_${randomBytes(24).toString('base64url')}`,
  };
  const passwordHash = await accounts.hashPassword(secrets.password);
  const made = await inTransaction(pool, (tx) => makeShop(tx, rooms, secrets, passwordHash));
  if (!made) return null;
  await inTransaction(pool, (tx) => sellSomething(tx, rooms, made.shop, made.product));
  return secrets;
}

async function makeShop(
  tx: Tx,
  { accounts, contexts, newsletters }: Rooms,
  { email, apiKey, businessId }: DemoSecrets,
  passwordHash: string,
): Promise<{ shop: DemoShop; product: Product } | null> {
  await tx`select pg_advisory_xact_lock(${LOCK})`;
  if (await accounts.hasUsers(tx)) return null;
  const userId = await accounts.addConfirmedUser(tx, { email, name: 'Demo admin', passwordHash, apiKey });
  const admin: Caller = {
    userId,
    provider: 'EMAIL',
    email,
    isGuest: false,
    isConfirmed: true,
    sessionId: null,
    permissions: new Map([[businessId, new Set(['ADMIN' as const])]]),
  };
  const shop: DemoShop = { businessId, admin };
  const ctx = contexts.within({ caller: admin, businessId, address: '' }, tx) as DemoCommand;
  await addBusiness(ctx, { id: businessId, input: { name: 'Demo shop', slug: 'demo', configs: CONFIGS } });
  const [product] = await seedCatalog(ctx);
  await seedContent(ctx);
  await seedNewsletters(ctx, newsletters);
  return { shop, product: product! };
}

/** After the shop is committed, because what is sold follows the settings that everybody sees. */
async function sellSomething(tx: Tx, { orders, contexts }: Rooms, shop: DemoShop, product: Product): Promise<void> {
  const item = { productId: product.id, variantId: product.variants[0]!.id };
  const orderId = await seedOrders(tx, orders, shop, item);
  const origin = { caller: shop.admin, businessId: shop.businessId, address: '' };
  await seedOrderNote(contexts.within(origin, tx) as DemoCommand, orderId);
}

/** Four groups that can be read aloud; 80 bits. */
function randomWord(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const groups = Array.from({ length: 4 }, () => [...randomBytes(4)].map((byte) => letters[byte % 31]).join(''));
  return groups.join('-');
}
