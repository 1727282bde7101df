import assert from 'node:assert/strict';
import test from 'node:test';
import type { Permission } from '../../src/shared/security/caller.ts';
import { type Credential, type Membership, rightsOf } from '../../src/shared/security/rights.ts';

const NOW = 1000;
const member = (more: Partial<Membership> = {}): Membership => ({
  businessId: 'biz',
  permissions: ['ADMIN'],
  secondFactorFrom: null,
  requiresSso: false,
  keyPolicy: 0,
  ...more,
});
const PLAIN = { secondFactors: [], keyGeneration: 0 } as const;
const SECURE = { secondFactors: ['TOTP'], keyGeneration: 0 } as const;
const SESSION: Credential = { kind: 'SESSION' };
const SSO: Credential = { kind: 'SSO', businessId: 'biz' };
const SUPPORT: Credential = { kind: 'SUPPORT', businessId: 'biz' };
const ACCOUNT: Credential = { kind: 'ACCOUNT' };
const key = (more: object = {}): Credential => ({
  kind: 'KEY',
  scopes: null,
  ssoBusiness: null,
  generation: 0,
  confirmations: {},
  ...more,
});

/** The permissions in `biz`, or the reason why there are none. */
function outcome(credential: Credential, account: Parameters<typeof rightsOf>[1], memberships: Membership[]) {
  const { permissions, withheld } = rightsOf(credential, account, memberships, NOW);
  return withheld.get('biz') ?? [...(permissions.get('biz') ?? [])].join(' ');
}

test('each credential gets the permissions of a member, or one reason why not', () => {
  const sso = member({ requiresSso: true });
  const due = member({ secondFactorFrom: NOW });
  const later = member({ secondFactorFrom: NOW + 1 });
  const policy = member({ secondFactorFrom: NOW, keyPolicy: 2 });
  const ssoPolicy = member({ requiresSso: true, keyPolicy: 2 });
  const scopes = (businesses: string[], ...permissions: Permission[]) => ({ scopes: { businesses, permissions } });
  const confirmed = (more: object) => key({ confirmations: { biz: { policy: 2, sso: false, ...more } } });
  const cases: [Credential, Parameters<typeof rightsOf>[1], Membership, string][] = [
    [SESSION, PLAIN, member(), 'ADMIN'],
    [ACCOUNT, PLAIN, member(), 'ADMIN'],
    [SSO, PLAIN, member(), 'ADMIN'],
    [SUPPORT, PLAIN, member(), 'OUT_OF_SCOPE'],
    [{ kind: 'SSO', businessId: 'other' }, PLAIN, member(), 'OUT_OF_SCOPE'],
    [key(), PLAIN, member(), 'ADMIN'],

    [SESSION, SECURE, sso, 'SSO_REQUIRED'],
    [SSO, PLAIN, sso, 'ADMIN'],
    [ACCOUNT, PLAIN, sso, 'ADMIN'],
    [key(), SECURE, sso, 'KEY_UNCONFIRMED'],

    [SESSION, PLAIN, due, 'SECOND_FACTOR_MISSING'],
    [SSO, PLAIN, due, 'SECOND_FACTOR_MISSING'],
    [ACCOUNT, PLAIN, due, 'SECOND_FACTOR_MISSING'],
    [key(), PLAIN, due, 'SECOND_FACTOR_MISSING'],
    [SESSION, PLAIN, later, 'ADMIN'],
    [SESSION, SECURE, due, 'ADMIN'],
    [key(), SECURE, due, 'ADMIN'],

    [key(), SECURE, policy, 'KEY_UNCONFIRMED'],
    [confirmed({ policy: 1 }), SECURE, policy, 'KEY_UNCONFIRMED'],
    [confirmed({}), SECURE, policy, 'ADMIN'],
    [key(), SECURE, member({ secondFactorFrom: NOW + 1, keyPolicy: 2 }), 'ADMIN'],
    [key(), SECURE, member({ keyPolicy: 2 }), 'ADMIN'],
    [confirmed({}), SECURE, ssoPolicy, 'KEY_UNCONFIRMED'],
    [confirmed({ sso: true, policy: 1 }), SECURE, ssoPolicy, 'KEY_UNCONFIRMED'],
    [confirmed({ sso: true }), SECURE, ssoPolicy, 'ADMIN'],

    [key(), { ...SECURE, keyGeneration: 1 }, member(), 'KEY_UNCONFIRMED'],
    [key({ generation: 1 }), { ...SECURE, keyGeneration: 1 }, member(), 'ADMIN'],

    [key({ ssoBusiness: 'other' }), PLAIN, member(), 'OUT_OF_SCOPE'],
    [key({ ssoBusiness: 'biz' }), PLAIN, member(), 'ADMIN'],
    [key({ ssoBusiness: 'other', ...scopes(['biz'], 'ADMIN') }), PLAIN, member(), 'OUT_OF_SCOPE'],
    [key(scopes(['other'], 'ADMIN')), PLAIN, member(), 'OUT_OF_SCOPE'],
    [key(scopes(['biz'], 'ORDER_READ')), PLAIN, member(), 'ORDER_READ'],
    [key(scopes(['biz'], 'ADMIN')), PLAIN, member({ permissions: ['ORDER_READ'] }), 'ORDER_READ'],
    [key(scopes(['biz'], 'ORDER_READ')), PLAIN, member({ permissions: ['MEDIA_WRITE'] }), ''],
  ];
  for (const [credential, account, membership, expected] of cases) {
    assert.equal(
      outcome(credential, account, [membership]),
      expected,
      JSON.stringify([credential, account, membership]),
    );
  }
});

test('several roles in a business add up, and every membership is either granted or withheld', () => {
  const roles = [member({ permissions: ['ORDER_READ'] }), member({ permissions: ['MEDIA_WRITE'] })];
  assert.equal(outcome(SESSION, PLAIN, roles), 'ORDER_READ MEDIA_WRITE');
  const mixed = [...roles, member({ businessId: 'strict', requiresSso: true }), member({ businessId: 'third' })];
  const { permissions, withheld } = rightsOf(SESSION, PLAIN, mixed, NOW);
  assert.deepEqual([[...permissions.keys()], [...withheld.keys()]], [['biz', 'third'], ['strict']]);
});

test('the result says when a grace period ends', () => {
  const { changesAt } = rightsOf(SESSION, PLAIN, [member({ secondFactorFrom: NOW + 60 }), member()], NOW);
  assert.equal(changesAt, NOW + 60);
  assert.equal(
    rightsOf(SESSION, PLAIN, [member({ secondFactorFrom: NOW - 60 })], NOW).changesAt,
    Number.POSITIVE_INFINITY,
  );
});
