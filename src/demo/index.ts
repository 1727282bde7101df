/** Fills an empty database with a demo shop and ninety days of orders. The admin's secrets are shown once. */
import { randomBytes } from 'node:crypto';
import type { AppServices, Command, Steps } from '../context/index.ts';
import { addConfirmedUser, hasUsers } from '../domains/accounts/index.ts';
import { addBusiness, type Configs } from '../domains/businesses/index.ts';
import type { MediaRow } from '../domains/media/index.ts';
import { VAT_RATES } from '../domains/pricing/index.ts';
import { newId } from '../shared/ids.ts';
import { type Caller, NO_FACTORS } from '../shared/security/caller.ts';
import { buildAudience, insertAudience } from './audience/index.ts';
import { planSubscribers } from './audience/plan.ts';
import { DEMO_BUSINESS_ID } from './business-id.ts';
import { seedCatalog, stockToday, storeImages } from './catalog.ts';
import { addBlog, writeOrderNote, writePosts } from './content.ts';
import { addNewsletter, addSubscribers, planIssues, writeIssues } from './newsletters.ts';
import { at, DAY, HOUR, startOfDay } from './past.ts';
import { planCustomerNotes } from './sales/customer-notes.ts';
import { insertEventLog } from './sales/event-log.ts';
import { addPromo, buildBook, insertBook } from './sales/index.ts';
import { DAYS, planOrders } from './sales/plan.ts';
import { planStock } from './sales/stock-plan.ts';

export type DemoSecrets = { businessId: string; email: string; password: string; apiKey: string };

const LOCK = 7_301_966_002;

const EUROPE = [...new Set(VAT_RATES.taxRates.map(({ country }) => country))];
const EXPRESS = ['US', 'AT', 'BE', 'DE', 'FR', 'LU', 'NL'];

const CONFIGS: Configs = {
  markets: [
    {
      id: 'us',
      name: 'United States',
      countries: ['US'],
      currency: 'usd',
      taxMode: 'EXCLUSIVE',
      taxBps: 800,
      paymentMethods: [{ method: 'CREDIT_CARD' }, { method: 'CASH' }, { method: 'FREE' }],
    },
    {
      id: 'eu',
      name: 'European Union',
      countries: ['DE', ...EUROPE.filter((country) => country !== 'DE')],
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
      countries: ['US', ...EUROPE],
      etaText: '3–5 days',
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
      countries: EXPRESS,
      etaText: 'Next day',
    },
    {
      id: 'pickup',
      name: 'Store pickup',
      type: 'PICKUP',
      prices: [
        { market: 'us', amount: 0 },
        { market: 'eu', amount: 0 },
      ],
      taxable: false,
      etaText: 'Ready today',
    },
  ],
  taxClasses: VAT_RATES.taxClasses,
  taxRates: [
    ...VAT_RATES.taxClasses.map(({ id: classId }) => ({
      id: `us-${classId}`,
      name: 'Sales tax',
      country: 'US',
      classId,
      bps: 800,
    })),
    ...VAT_RATES.taxRates,
  ],
  tax: { origin: { country: 'US', state: 'OR', zip: '97209' }, oss: true, shipping: 'PROPORTIONAL' },
  paymentProvider: { type: 'SANDBOX' },
  email: { fromName: 'Demo shop' },
  storefront: {
    enabled: true,
    locales: ['en', 'de'],
    title: { en: 'Well-made things for every day', de: 'Gut gemachte Dinge für den Alltag' },
    description: {
      en: 'Linen, wool, clay, and wood from people who know their craft.',
      de: 'Leinen, Wolle, Ton und Holz von Menschen, die ihr Handwerk verstehen.',
    },
    navigation: [
      { label: { en: 'All products', de: 'Alle Produkte' }, url: '/products' },
      { label: { en: 'Clothing', de: 'Kleidung' }, url: '/categories/clothing' },
      { label: { en: 'Kitchen', de: 'Küche' }, url: '/categories/kitchen' },
      { label: { en: 'Home and living', de: 'Wohnen' }, url: '/categories/home-and-living' },
      { label: { en: 'Bags', de: 'Taschen' }, url: '/categories/bags' },
      { label: { en: 'Gifts', de: 'Geschenke' }, url: '/categories/gifts' },
      { label: 'Blog', url: '/blog' },
    ],
    legal: {
      imprint: '<p>Demo Shop LLC, 12 Foundry Street, Portland, OR 97209, United States</p>',
      shipping: {
        en: '<p>Standard shipping takes 3–5 days and is free on orders of $100 (or €100) or more.</p>',
        de: '<p>Der Standardversand dauert 3–5 Tage und ist ab 100 $ oder 100 € kostenlos.</p>',
      },
    },
  },
  profile: {
    legalName: 'Demo Shop LLC',
    address: { street: '12 Foundry Street', city: 'Portland', state: 'OR', zip: '97209', country: 'US' },
    taxId: '00-0000000',
  },
};

/** Null if the database is not empty. If several processes start at once, one of them seeds the demo. */
export async function seedDemo(system: Steps<AppServices>): Promise<DemoSecrets | null> {
  if (await hasUsers(system.db)) return null;
  const secrets = {
    businessId: DEMO_BUSINESS_ID,
    email: 'admin@example.com',
    password: randomWord(),
    apiKey: `souk_${randomBytes(24).toString('base64url')}`,
  };
  const ctx = system.within(DEMO_BUSINESS_ID, adminOf(secrets));
  const [passwordHash, images] = await Promise.all([ctx.accounts.passwords.hash(secrets.password), storeImages(ctx)]);
  const openedAt = startOfDay(ctx.now) - (DAYS + 1) * DAY + 9 * HOUR;
  const plan = planHistory(ctx, openedAt);
  const shop = await ctx.transaction((tx) => createShop(at(tx, openedAt), { secrets, passwordHash, images, plan }));
  if (!shop) return null;
  // The shop is committed first, because prices and payments depend on settings that are read outside of the transaction.
  const book = await buildBook(ctx, { configs: CONFIGS, products: shop.products, plan });
  const audience = await buildAudience(ctx, { newsletter: shop.newsletter, book, ...plan });
  await ctx.transaction(async (tx) => {
    await insertBook(tx, book);
    await writePosts(tx, shop.blog.id);
    await writeIssues(tx, shop.newsletter, plan.issues);
    await insertAudience(tx, audience);
    await writeOrderNote(at(tx, startOfDay(tx.now) - 7 * HOUR), book.lastOrderOf('alan@example.com'));
    await addSubscribers(at(tx, tx.now - HOUR / 2), shop.newsletter.id);
    await insertEventLog(tx.db, DEMO_BUSINESS_ID, openedAt, book.log);
  });
  return secrets;
}

const adminOf = ({ email, businessId }: DemoSecrets): Caller => ({
  userId: newId('usr'),
  provider: 'EMAIL',
  email,
  isGuest: false,
  isConfirmed: true,
  name: '',
  sessionId: null,
  keyId: null,
  factors: NO_FACTORS,
  permissions: new Map([[businessId, new Set(['ADMIN' as const])]]),
});

/** Plans the ninety days before today. */
function planHistory({ now, config }: Steps<AppServices>, openedAt: number) {
  const { checkoutTtlSeconds, cashTtlSeconds: cashSeconds, paymentSandbox: takesCards } = config;
  const checkoutSeconds = Math.min(checkoutTtlSeconds, HOUR);
  const issues = planIssues(now);
  const sentAt = issues.map((issue) => issue.at);
  const orders = planOrders(now, sentAt, { checkoutSeconds, cashSeconds, takesCards });
  const subscribers = planSubscribers(now, orders, { issues: sentAt, takesCards });
  return {
    orders,
    issues,
    subscribers,
    customerNotes: planCustomerNotes(orders, now),
    ...planStock(orders, stockToday(), openedAt),
  };
}

type NewShop = {
  secrets: DemoSecrets;
  passwordHash: string;
  images: MediaRow[];
  plan: { opening: ReadonlyMap<string, number> };
};

/** Creates the shop as it was on its first day. Null if another process already did. */
async function createShop(ctx: Command<AppServices>, { secrets, passwordHash, images, plan }: NewShop) {
  const { email, apiKey, businessId: id } = secrets;
  // If another process holds the lock, wait longer than usual.
  await ctx.db`set local lock_timeout = '60s'`;
  await ctx.db`select pg_advisory_xact_lock(${LOCK})`;
  if (await hasUsers(ctx.db)) return null;
  await addConfirmedUser(ctx, { id: ctx.caller.userId, email, name: 'Demo admin', passwordHash, apiKey });
  await addBusiness(ctx, { id, input: { name: 'Demo shop', slug: 'demo', configs: CONFIGS } });
  const products = await seedCatalog(ctx, images, plan.opening);
  await addPromo(ctx);
  return { products, blog: await addBlog(ctx), newsletter: await addNewsletter(ctx) };
}

/** Four groups of letters and digits that are easy to read aloud; about 79 bits. */
function randomWord(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const groups = Array.from({ length: 4 }, () => [...randomBytes(4)].map((byte) => letters[byte % 31]).join(''));
  return groups.join('-');
}
