/** Creates a business with a newsletter, for the tests in this folder. */
import type { Service } from '../../src/app.ts';
import type { Steps } from '../../src/context/index.ts';
import type { NewsletterServices } from '../../src/domains/newsletters/index.ts';
import type { ApiResponse, Harness, Json } from '../harness.ts';

const PLANS = [
  { id: 'free', name: 'Free' },
  { id: 'club', name: 'Club', price: { amount: 500, currency: 'eur', interval: 'MONTHLY' } },
];

const SCHEMA = [
  { id: 'title', type: 'TEXT' },
  { id: 'body', type: 'TEXT', settings: { variant: 'HTML' } },
];

export type Newsletter = Awaited<ReturnType<typeof makeNewsletter>>;

export async function makeNewsletter(h: Harness, collectionFields: object = {}, configs: object = {}) {
  const businessId = await h.business(configs);
  const member = () =>
    h.member(businessId, 'CONTENT_WRITE', 'CONTENT_READ', 'NEWSLETTER_SEND', 'SUBSCRIBER_READ', 'SUBSCRIBER_WRITE');
  let { token } = await member();
  const guest = await h.guest();
  const base = `/v1/businesses/${businessId}` as const;
  const collection = await ok(
    h.call('POST', `${base}/collections`, {
      token,
      body: {
        name: 'Letters',
        type: 'NEWSLETTER',
        blocks: SCHEMA,
        plans: PLANS,
        statuses: [{ status: 'PUBLISHED' }],
        ...collectionFields,
      },
    }),
  );

  async function entry(title = 'Hello {{subscriber.name}}', fields: object = {}): Promise<string> {
    const body = {
      collectionId: collection.id,
      locale: 'en',
      blocks: [
        { id: 'title', type: 'TEXT', value: title },
        { id: 'body', type: 'TEXT', value: '<p>News for {{subscriber.email}}</p>' },
      ],
      statuses: [{ status: 'PUBLISHED' }],
      ...fields,
    };
    return (await ok(h.call('POST', `${base}/entries`, { token, body }))).id;
  }

  return {
    businessId,
    guest,
    base,
    collectionId: collection.id as string,
    entry,
    get token() {
      return token;
    },
    /** Tokens expire after an hour. A test that advances the clock further needs a new one. */
    async login(): Promise<void> {
      ({ token } = await member());
    },
    subscribe: (email: string, more: object = {}) =>
      h.call('POST', `${base}/collections/${collection.id}/subscribe`, {
        token: guest.token,
        body: { email, planId: 'free', ...more },
      }),
    subscribers: async (query = '') =>
      (await ok(h.call('GET', `${base}/collections/${collection.id}/subscribers${query}`, { token }))).items as Json[],
    /** The status of the subscriber with this address. */
    statusOf: async (email: string) => {
      const path = `${base}/collections/${collection.id}/subscribers?email=${encodeURIComponent(email)}` as const;
      return (await ok(h.call('GET', path, { token }))).items.map(({ status }) => status).join() as string;
    },
    namesOf: async () =>
      (await h.pool<{ name: string }[]>`select name from subscriptions where business_id = ${businessId}`).map(
        ({ name }) => name,
      ),
    /** Inserts many subscribers directly into the table: `user1@example.com` … */
    async crowd(count: number): Promise<void> {
      await h.pool`
        insert into subscriptions
          (business_id, id, collection_id, email, email_key, name, plan_id, status, created_at, updated_at)
        select ${businessId}, 'sub_' || lpad(n::text, 26, '0'), ${collection.id}, 'user' || n || '@example.com',
          'user' || n || '@example.com', 'User ' || n, 'free', 'ACTIVE', 1, 1
        from generate_series(1, ${count}::int) n`;
    },
    send: (entryId: string, body: object = {}) => h.call('POST', `${base}/entries/${entryId}/send`, { token, body }),
    progress: async (entryId: string, sendId: string) =>
      ok(h.call('GET', `${base}/entries/${entryId}/sends/${sendId}`, { token })),
    cancel: (entryId: string, sendId: string) =>
      h.call('POST', `${base}/entries/${entryId}/sends/${sendId}/cancel`, { token }),
    deliveries: async (entryId: string, sendId: string, query = '') =>
      (await ok(h.call('GET', `${base}/entries/${entryId}/sends/${sendId}/deliveries${query}`, { token })))
        .items as Json[],
  };
}

/** The confirmation link in the newest email. */
export async function confirmLink(h: Harness, email: string): Promise<string> {
  const mail = (await h.mailbox()).find(({ to }) => to === email);
  return /http\S+\/confirm-subscription\/\S+/.exec(mail?.kind === 'mail' ? mail.text : '')![0];
}

/** The context of the service's jobs. */
export const jobContext = ({ contexts }: Service, businessId = '') =>
  contexts.system().within(businessId) as Steps<NewsletterServices>;

/** Starts due sends and delivers running sends, as workers do. */
export const runSends = ({ jobs }: Service) => jobs.drain('newsletter-start', 'newsletter-send');

export async function ok<Body>(call: Promise<ApiResponse<Body>>): Promise<Body> {
  const { status, body } = await call;
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body;
}

export const addsUp = ({ total, sent, failed, skipped, unknown }: Json) => total === sent + failed + skipped + unknown;
