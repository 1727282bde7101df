/** A business with single sign-on at a real OpenID Connect provider, and a domain that is verified by DNS. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Harness } from '../../harness.ts';
import { CLIENT, type Person, startIdp } from '../oauth/idp.ts';
import type { startDns } from './dns.ts';

export const ORIGIN = 'https://shop.example';

type Dns = Awaited<ReturnType<typeof startDns>>;

export async function startCompany(h: Harness, dns: Dns, domain = `${randomUUID()}.example`) {
  const businessId = await h.business();
  const admin = await h.member(businessId, 'ADMIN');
  const redirectUrl = `${ORIGIN}/login/sso/${businessId}`;
  const idp = await startIdp([redirectUrl]);
  const path = `/v1/businesses/${businessId}/sso` as const;
  const role = async (name: string, permissions: string[]): Promise<string> => {
    const body = { businessId, name, permissions };
    return (await h.call('POST', '/v1/roles', { token: admin.token, body: body as never })).body.id;
  };
  const roles = { staff: await role('Staff', ['ORDER_READ']), boss: await role('Boss', ['ADMIN']) };
  const save = (body: object, token = admin.token) => h.call('PUT', path, { token, body });
  const { status } = await save({
    issuer: idp.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    domains: [domain],
    roleMappings: [
      { value: 'staff', roleId: roles.staff },
      { value: 'bosses', roleId: roles.boss },
    ],
  });
  assert.equal(status, 200);

  /** Publishes the DNS records, and asks the service to look them up. */
  async function verify() {
    const { body } = await h.call('GET', path, { token: admin.token });
    for (const each of body.domains) dns.records.set(each.recordName, each.recordValue);
    return (await h.call('POST', `${path}/verify-domains`, { token: admin.token })).body;
  }

  const person = (groups: string[] = ['staff'], email = `${randomUUID()}@${domain}`): Person & { email: string } => ({
    sub: randomUUID(),
    email,
    name: 'Ada Lovelace',
    groups,
  });

  /** Logs in with the provider, and returns with the code. */
  async function begin(who: Person) {
    const query = new URLSearchParams({ provider: 'SSO', businessId, originUrl: ORIGIN, redirectUrl });
    const { body, status: found } = await h.call('GET', `/v1/users/login/url?${query}`);
    assert.equal(found, 200, JSON.stringify(body));
    return idp.visit(body.url, who);
  }
  const finish = (sent: object) =>
    h.call('POST', '/v1/users/login', { body: { provider: 'SSO', originUrl: ORIGIN, ...sent } as never });
  async function login(who: Person) {
    const { code, state } = await begin(who);
    return finish({ code, state });
  }

  return { businessId, domain, admin, idp, path, redirectUrl, roles, save, verify, person, begin, finish, login };
}
