/** Every route with every kind of credential in every state, against one small rule. Covers routes added later. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Steps } from '../src/context/index.ts';
import { type AccountServices, beginSession, openSession } from '../src/domains/accounts/index.ts';
import type { ListedRoute } from '../src/http/server.ts';
import { fresh } from './accounts/factors/steps.ts';
import { shareHarness, type TestUser } from './harness.ts';

const h = await shareHarness({ LIMIT_ADDRESS: '1000000' });

/** Routes without a business in their URL that scoped keys and sessions for one business can use. */
const OPEN = [
  'GET /v1/users/me',
  'PUT /v1/users',
  'PUT /v1/users/update',
  'GET /v1/users/search',
  'PUT /v1/users/set-role',
  'GET /v1/users/me/passkeys',
  'POST /v1/users/me/step-up',
  'POST /v1/users/me/step-up/options',
  'GET /v1/businesses',
  'GET /v1/roles',
  'POST /v1/roles',
  'GET /v1/roles/:id',
  'PUT /v1/roles/:id',
  'DELETE /v1/roles/:id',
  'POST /v1/payments/quote',
  'POST /v1/payments/shipping-options',
  'GET /v1/payments/vat-rates',
  'GET /v1/collections/entry-types/:entryType/variables',
];
/** Routes that change who has access. Scoped keys can't use them. */
const GRANTS = [
  'PUT /v1/users',
  'PUT /v1/users/update',
  'PUT /v1/users/set-role',
  'POST /v1/roles',
  'PUT /v1/roles/:id',
  'DELETE /v1/roles/:id',
  'PUT BUSINESS/members/me',
  'DELETE BUSINESS/members/me',
  'POST BUSINESS/invitation',
  'PUT BUSINESS/invitation',
  'DELETE BUSINESS/invitation/:id',
  'POST BUSINESS/publishable-keys',
  'PUT BUSINESS/publishable-keys/:id',
  'DELETE BUSINESS/publishable-keys/:id',
  'POST BUSINESS/customers/:id/support-session',
  'PUT BUSINESS/sso',
  'DELETE BUSINESS/sso',
  'POST BUSINESS/sso/verify-domains',
  'POST BUSINESS/sso/scim-token',
  'DELETE BUSINESS/sso/scim-token',
];
/** Routes that return a secret of the customer. */
const SECRET = ['GET BUSINESS/collections/:collectionId/feed-link'];

type State = {
  token: string | null;
  businessId: string;
  /** Whether it has the permissions of an ADMIN in the business. */
  isAdmin?: boolean;
  /** What the credential is limited to, other than its account. */
  limits?: 'KEY' | 'SSO' | 'SUPPORT';
  /** Where each request fails: 401 or 403. */
  fails?: { status: 401 | 403; only?: 'BUSINESS' };
};

/** The status of a refusal, or 0 if the access check passes. */
function expected(route: ListedRoute, { isAdmin = false, limits, fails }: State): number {
  const name = nameOf(route);
  const isInBusiness = route.url.includes(':businessId');
  if (fails && (isInBusiness || fails.only !== 'BUSINESS')) return fails.status;
  if (limits === 'SUPPORT' && (route.method !== 'GET' || SECRET.includes(name))) return 403;
  if (limits === 'KEY' && GRANTS.includes(name)) return 403;
  if (limits && !isInBusiness && !OPEN.includes(name)) return 403;
  return route.access === 'token' || isAdmin ? 0 : 403;
}

const nameOf = ({ method, url }: ListedRoute) => `${method} ${url.replace('/v1/businesses/:businessId', 'BUSINESS')}`;
const system = h.service.contexts.system() as Steps<AccountServices>;

async function session(userId: string, more: object): Promise<string> {
  const id = await system.transaction((ctx) =>
    beginSession(ctx, { userId, lifeSeconds: 3600, provider: 'EMAIL', ...more }),
  );
  return (await openSession(system, id)).accessToken;
}
async function keyOf({ token }: Pick<TestUser, 'token'>, key: object = {}): Promise<string> {
  const options = { token, headers: fresh(h, token), body: { apiTokens: [key] } };
  return (await h.call('PUT', '/v1/users/update', options)).body.apiTokens[0]!.value;
}
const settled = (users: TestUser[]) =>
  h.pool.transaction(async (tx) => {
    for (const { userId } of users) await h.service.broadcast.publish(tx, `user:${userId}`);
  });

/** Every kind of credential, in every state. */
async function makeStates(): Promise<Record<string, State>> {
  const [plain, sso, strict, stepUp] = [
    await h.business(),
    await h.business(),
    await h.business({ security: { requireSecondFactor: true, enforcedFrom: 1 } }),
    await h.business({ security: { stepUp: true } }),
  ];
  const admin = (businessId: string) => h.member(businessId, 'ADMIN');
  const [member, scoped, removed, expired, elsewhere, unconfirmed] = [
    await admin(plain),
    await admin(plain),
    await admin(plain),
    await admin(plain),
    await admin(plain),
    await admin(plain),
  ];
  const [boss, lacking, cautious, stranger] = [
    await admin(sso),
    await admin(strict),
    await admin(stepUp),
    await h.user(),
  ];
  const keys = {
    unscoped: await keyOf(member),
    scoped: await keyOf(scoped, { scopes: { businesses: [plain], permissions: ['ADMIN'] } }),
    narrow: await keyOf(await admin(plain), { scopes: { businesses: [sso], permissions: ['ADMIN'] } }),
    removed: await keyOf(removed),
    expired: await keyOf(expired, { expiresAt: h.clock.seconds() + 1 }),
    elsewhere: await keyOf(elsewhere, { networks: ['203.0.113.0/24'] }),
    unconfirmed: await keyOf(unconfirmed),
    boss: await keyOf(boss),
    lacking: await keyOf(lacking),
  };
  await h.pool`delete from members where user_id = ${removed.userId}`;
  await h.pool`update users set key_generation = 1 where id = ${unconfirmed.userId}`;
  await h.pool`insert into sso_connections (business_id, issuer, client_id, role_claim, role_mappings, is_enforced, created_at, updated_at)
    values (${sso}, 'https://idp.example', 'souk', 'groups', '[]', true, 1, 1)`;
  await h.pool`insert into sso_domains (business_id, domain, token, verified_at)
    values (${sso}, ${boss.email!.split('@')[1]!}, 'x', 1)`;
  await settled([removed, unconfirmed, boss]);
  const customer = await h.user();
  const { body } = await h.call('POST', `/v1/businesses/${plain}/publishable-keys`, {
    token: member.token,
    body: { name: 'Shop', origins: ['https://shop.example'] },
  });
  h.clock.advance(2);
  const businessId = plain;
  return {
    none: { token: null, businessId, fails: { status: 401 } },
    'publishable key': { token: body.value, businessId, fails: { status: 401 } },
    guest: { token: (await h.guest()).token, businessId },
    'session of a stranger': { token: stranger.token, businessId },
    'session of a member': { token: member.token, businessId, isAdmin: true },
    'session without step-up': { token: cautious.token, businessId: stepUp, isAdmin: true },
    'session without the required factor': { token: lacking.token, businessId: strict },
    'password session under enforced SSO': { token: boss.token, businessId: sso },
    'SSO session': {
      token: await session(boss.userId, { provider: 'SSO', ssoBusiness: sso }),
      businessId: sso,
      isAdmin: true,
      limits: 'SSO',
    },
    'SSO session in another business': {
      token: await session(boss.userId, { provider: 'SSO', ssoBusiness: sso }),
      businessId,
      limits: 'SSO',
      fails: { status: 403, only: 'BUSINESS' },
    },
    'support session': {
      token: await support(plain, member.userId, customer.userId),
      businessId,
      limits: 'SUPPORT',
    },
    'unscoped key': { token: keys.unscoped, businessId, isAdmin: true },
    'scoped key': { token: keys.scoped, businessId, isAdmin: true, limits: 'KEY' },
    'scoped key in another business': {
      token: keys.narrow,
      businessId,
      limits: 'KEY',
      fails: { status: 403, only: 'BUSINESS' },
    },
    'key of a removed member': { token: keys.removed, businessId },
    'expired key': { token: keys.expired, businessId, fails: { status: 401 } },
    'key from another network': { token: keys.elsewhere, businessId, fails: { status: 403 } },
    'unconfirmed key': { token: keys.unconfirmed, businessId, fails: { status: 403 } },
    'key under enforced SSO': { token: keys.boss, businessId: sso, fails: { status: 403, only: 'BUSINESS' } },
    'key of a member without the required factor': { token: keys.lacking, businessId: strict },
  };
}

async function support(businessId: string, supportBy: string, userId: string): Promise<string> {
  const id = `ses_${userId}`;
  await h.pool`insert into sessions (id, user_id, provider, support_business, support_by, created_at, last_used_at, expires_at)
    values (${id}, ${userId}, 'SUPPORT', ${businessId}, ${supportBy}, 1, 1, 9999999999)`;
  return (await openSession(system, id)).accessToken;
}

/** Use cases that check more than the access rule of their route, after it has passed. */
const isDeeper = (route: ListedRoute, message = '') =>
  route.access === 'token' && /^(This requires|Log in|You|A guest|API keys)/.test(message);

test('every route answers every kind of credential in every state as the rule says', async () => {
  const states = await makeStates();
  const routes = h.service.app.routeList.filter(({ access }) => access !== 'public');
  assert.ok(routes.length > 200);
  const wrong: string[] = [];
  for (const [name, state] of Object.entries(states)) {
    await Promise.all(
      routes.map(async (route) => {
        const path = route.url.replace(':businessId', state.businessId).replaceAll(/:\w+/g, 'none');
        // No body is valid, so that no route does anything once the access check has passed.
        const sent = route.method === 'GET' ? {} : { body: '{', headers: { 'content-type': 'application/json' } };
        const headers = { ...sent.headers, 'last-event-id': 'invalid' };
        const { status, body } = await h.call(route.method, path, {
          token: state.token ?? undefined,
          ...sent,
          headers,
        });
        const { error, message } = (body ?? {}) as { error?: string; message?: string };
        const isRefusal =
          status === 401 || (status === 403 && error !== 'STEP_UP_REQUIRED' && !isDeeper(route, message));
        const actual = isRefusal ? status : 0;
        const rule = expected(route, state);
        if (rule !== (rule === 403 && status === 403 ? 403 : actual))
          wrong.push(`${name}: ${nameOf(route)} → ${status} ${message}, not ${rule}`);
      }),
    );
  }
  assert.deepEqual(wrong, []);
});
