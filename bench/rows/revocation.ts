import { codeAt, stepAt } from '../../src/domains/accounts/factors/totp.ts';
import { beginSession, insertUser, openSession } from '../../src/domains/accounts/index.ts';
import { insertMember } from '../../src/domains/businesses/index.ts';
import { newId } from '../../src/shared/ids.ts';
import { startProcess } from '../processes.ts';
import { createSystem } from '../shop.ts';
import { type Bench, plainLine, type Row } from '../types.ts';

const TIMES = 20;
const DOMAIN = 'revocation.example';

type Ending = { isRefused: () => Promise<boolean>; end: () => Promise<unknown> };

/** The time from the request that ends access in one process until the other process has rejected a request. */
export const revocation: Row = {
  name: 'revocation',
  async run(bench) {
    const other = await startProcess('souk.ts', bench.env);
    const people = await createPeople(bench);
    try {
      const lines = [];
      for (const [what, prepare] of Object.entries(endings(bench, other.url, people))) {
        const times: number[] = [];
        for (let i = 0; i < TIMES; i++) times.push(await timeUntilRefused(await prepare()));
        times.sort((a, b) => a - b);
        const max = times.at(-1)!;
        lines.push(
          plainLine({
            operation: `Time until another process rejects ${what}`,
            ours: `max ${max.toFixed(0)} ms`,
            p50: `${times[TIMES / 2]!.toFixed(0)} ms`,
            goal: '< 1 s',
            met: max < 1000,
          }),
        );
      }
      return lines;
    } finally {
      await people.stop();
      other.child.disconnect();
    }
  },
};

async function timeUntilRefused({ isRefused, end }: Ending): Promise<number> {
  if (await isRefused()) throw new Error('Access is refused before it ended.');
  const startedAt = performance.now();
  await end();
  while (!(await isRefused()));
  return performance.now() - startedAt;
}

async function createPeople({ env, shop: { businessId } }: Bench) {
  const { service, system } = await createSystem(env);
  const logIn = async (userId: string, ssoBusiness?: string) => {
    const input = { userId, provider: ssoBusiness ? 'SSO' : 'EMAIL', lifeSeconds: null };
    const begun = await system.transaction((ctx) =>
      beginSession(ctx, { ...input, ...(ssoBusiness ? { ssoBusiness } : {}) }),
    );
    return (await openSession(system, begun)).accessToken;
  };
  return {
    logIn,
    /** A member with the role, who has just logged in. */
    async member(roleId: string) {
      const id = newId('usr');
      const person = { id, email: `${id}@${DOMAIN}`, name: '', isConfirmed: true, isGuest: false };
      await system.transaction(async ({ db: tx, now }) => {
        await insertUser(tx, { ...person, createdAt: now });
        await insertMember(tx, businessId, id, roleId);
      });
      return { id, token: await logIn(id) };
    },
    stop: service.stop,
  };
}

type People = Awaited<ReturnType<typeof createPeople>>;

function endings({ call, pool, url, shop: { businessId, adminId } }: Bench, otherUrl: string, people: People) {
  const roleId = async () =>
    (
      await pool<{ roleId: string }[]>`
    select role_id from members where business_id = ${businessId} and user_id = ${adminId}`
    )[0]!.roleId;
  const business = `/v1/businesses/${businessId}`;
  const isRefused = (path: string, token: string) => async () => {
    const { status } = await fetch(`${otherUrl}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return status === 401 || status === 403;
  };
  let scim: Promise<string> | undefined;
  /** A connection with a verified domain. Returns the SCIM token. */
  async function connect(): Promise<string> {
    const body = { issuer: 'https://idp.example', clientId: 'souk', domains: [DOMAIN] };
    const roleMappings = [{ value: 'staff', roleId: await roleId() }];
    await call('PUT', `${business}/sso`, { body: { ...body, roleMappings } });
    await pool`update sso_domains set verified_at = 1 where business_id = ${businessId}`;
    return (await call<{ token: string }>('POST', `${business}/sso/scim-token`, {})).token;
  }

  return {
    async 'a revoked API key'(): Promise<Ending> {
      const { token } = await people.member(await roleId());
      const change = (apiTokens: object[]) =>
        call<{ apiTokens: { value: string }[] }>('PUT', '/v1/users/update', { token, body: { apiTokens } });
      const key = (await change([{ name: 'bench' }])).apiTokens[0]!.value;
      return { isRefused: isRefused('/v1/users/me', key), end: () => change([]) };
    },
    async 'a session that ended'(): Promise<Ending> {
      const { token } = await people.member(await roleId());
      return {
        isRefused: isRefused('/v1/users/me', token),
        end: () => call('POST', '/v1/users/logout', { token, body: {} }),
      };
    },
    async 'a member without a role'(): Promise<Ending> {
      const { id: userId, token } = await people.member(await roleId());
      return {
        isRefused: isRefused(`${business}/customers`, token),
        end: () => call('PUT', '/v1/users/set-role', { body: { userId, businessId, roleIds: [] } }),
      };
    },
    async 'a member whose only factor was removed'(): Promise<Ending> {
      const { token } = await people.member(await roleId());
      const { id } = await call<{ id: string }>('POST', '/v1/businesses', { token, body: { name: 'Careful' } });
      const { secret } = await call<{ secret: string }>('POST', '/v1/users/me/totp', { token });
      const code = codeAt(secret, stepAt(Date.now() / 1000));
      const confirmed = { token, body: { code } };
      const { recoveryCodes } = await call<{ recoveryCodes: string[] }>('POST', '/v1/users/me/totp/confirm', confirmed);
      const body = { configs: { security: { requireSecondFactor: true } } };
      await call('PUT', `/v1/businesses/${id}`, { token, body });
      const remove = (headers = {}) =>
        fetch(`${url}/v1/users/me/totp`, {
          method: 'DELETE',
          headers: { authorization: `Bearer ${token}`, ...headers },
        });
      const { challenge } = (await (await remove()).json()) as { challenge: string };
      const proof = { challenge, method: 'RECOVERY_CODE', code: recoveryCodes[0] };
      const stepUp = await call<{ token: string }>('POST', '/v1/users/me/step-up', { token, body: proof });
      return {
        isRefused: isRefused(`/v1/businesses/${id}/customers`, token),
        end: () => remove({ 'souk-step-up': stepUp.token }),
      };
    },
    async 'a user deactivated by SCIM'(): Promise<Ending> {
      scim ??= connect();
      const [token, base] = [await scim, `/scim/v2/${businessId}`];
      const userName = `${newId('usr')}@${DOMAIN}`;
      const user = await call<{ id: string }>('POST', `${base}/Users`, { token, body: { userName } });
      const members = [{ value: user.id }];
      await call('POST', `${base}/Groups`, { token, body: { displayName: 'staff', members } });
      const session = await people.logIn(user.id, businessId);
      const Operations = [{ op: 'replace', path: 'active', value: false }];
      return {
        isRefused: isRefused(`${business}/customers`, session),
        end: () => call('PATCH', `${base}/Users/${user.id}`, { token, body: { Operations } }),
      };
    },
  };
}
