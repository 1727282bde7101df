/** Two ADMINs who remove each other or leave at the same moment, and a member whose role loses and regains a permission. */
import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../call.ts';
import { eventually } from '../service.ts';
import type { Shop } from './clients.ts';
import type { History } from './history.ts';
import type { Random } from './random.ts';
import { createClient, send } from './request.ts';
import type { World } from './world.ts';

type Person = { id: string; headers: { 'x-api-key': string } };
export type Team = Awaited<ReturnType<typeof openTeam>>;

const PASSWORD = 'correct-horse-7';
/** Longer than a process may use cached permissions. */
const CACHED_MS = 3000;

async function call(world: World, headers: Record<string, string>, method: string, path: string, body?: unknown) {
  const response = await send(`${world.shops[0]!.url}${path}`, method, headers, body);
  assert.equal(response.status, 200, `${method} ${path}: ${JSON.stringify(response.body)}`);
  return response.body as Json;
}

/** Registers a person with an API key. */
async function join(world: World, name: string): Promise<Person> {
  const email = `${name}@example.com`;
  await call(world, {}, 'POST', '/v1/users/register', { provider: 'EMAIL_REGISTER', email, password: PASSWORD });
  const mail = await eventually('confirmation email', async () => world.sink.messages.find(({ to }) => to === email));
  const token = /token=([\w.-]+)/.exec((await world.sink.parse(mail)).text ?? '')?.[1];
  await call(world, {}, 'PUT', '/v1/users/confirm', { token });
  const login = { provider: 'EMAIL', email, password: PASSWORD };
  const { accessToken } = await call(world, {}, 'POST', '/v1/users/login', login);
  const headers = { 'x-api-key': `key-of-${name}-in-the-chaos-test` };
  const apiTokens = [{ id: 'chaos', value: headers['x-api-key'] }];
  const user = await call(world, { authorization: `Bearer ${accessToken}` }, 'PUT', '/v1/users/update', { apiTokens });
  return { id: user.id, headers };
}

/** Called before anything fails. */
export async function openTeam(world: World, shop: Shop) {
  const [ada, ben, clerk] = [await join(world, 'ada'), await join(world, 'ben'), await join(world, 'clerk')];
  const { id: businessId } = await call(world, ada.headers, 'POST', '/v1/businesses', { name: 'Team' });
  const { items } = await call(world, ada.headers, 'GET', `/v1/roles?businessId=${businessId}`);
  const adminRole: string = items.find(({ name }: Json) => name === 'ADMIN').id;
  await call(world, ada.headers, 'PUT', '/v1/users/set-role', { businessId, userId: ben.id, roleId: adminRole });
  const owner = { 'x-api-key': shop.key };
  const role = { businessId: shop.businessId, name: 'Chaos clerk', permissions: ['CUSTOMER_READ'] };
  const { id: clerkRole } = await call(world, owner, 'POST', '/v1/roles', role);
  const member = { businessId: shop.businessId, userId: clerk.id, roleId: clerkRole };
  await call(world, owner, 'PUT', '/v1/users/set-role', member);
  return { businessId, adminRole, admins: [ada, ben] as const, clerk, clerkRole: clerkRole as string };
}

export function teamOf(world: World, shop: Shop, team: Team, history: History, random: Random, isOver: () => boolean) {
  const { act, retryUntilKnown, expectRefused } = createClient(world, history, random);
  const { businessId, adminRole, clerk } = team;
  const [ada, ben] = team.admins;

  const setRole = (action: string, by: Person, who: Person, roleId: string | null) =>
    act(action, 'PUT', '/v1/users/set-role', by.headers, { businessId, userId: who.id, roleId });

  /**
   * Someone who is ADMIN, null if the service says that nobody is, or undefined if it does not respond before the run
   * is over.
   */
  async function findAdmin(): Promise<Person | null | undefined> {
    const since = performance.now();
    while (!isOver()) {
      const isSure = performance.now() - since > CACHED_MS;
      const reads = await Promise.all(
        team.admins.map(({ headers }) => act('read roles', 'GET', `/v1/roles?businessId=${businessId}`, headers)),
      );
      const found = reads.findIndex(({ status }) => status === 200);
      if (found >= 0) return team.admins[found]!;
      if (isSure && reads.every(({ status }) => status === 403 || status === 404)) return null;
      await pause(500);
    }
    return undefined;
  }

  async function admins(): Promise<void> {
    while (!isOver()) {
      const pairs = random.isTrue(0.5)
        ? [[ada, ben] as const, [ben, ada] as const]
        : [[ada, ada] as const, [ben, ben] as const];
      await Promise.all(pairs.map(([by, who]) => setRole('remove ADMIN', by, who, null)));
      const left = await findAdmin();
      if (left === null) history.violations.push('a business has lost its last ADMIN');
      if (!left) return;
      await retryUntilKnown(() => setRole('add ADMIN', left, left === ada ? ben : ada, adminRole));
      await pause(random.between(200, 1000));
    }
  }

  /** Changes the version that it has read, so that a delayed request can't undo a later change. */
  async function setPermissions(permissions: string[]): Promise<boolean> {
    const owner = { 'x-api-key': shop.key };
    const path = `/v1/roles/${team.clerkRole}`;
    const { status, etag } = await act('read role', 'GET', path, owner);
    if (status !== 200) return false;
    return (await act('change role', 'PUT', path, { ...owner, 'if-match': etag! }, { permissions })).status === 200;
  }

  async function clerks(): Promise<void> {
    while (!isOver()) {
      if (await setPermissions([])) {
        await expectRefused(
          'request without permission',
          `${shop.base}/customers`,
          clerk.headers,
          'a member without permission',
        );
      }
      while (!isOver() && !(await setPermissions(['CUSTOMER_READ']))) await pause(500);
      await retryUntilKnown(() => act('request with permission', 'GET', `${shop.base}/customers`, clerk.headers));
      await pause(random.between(200, 1000));
    }
  }

  return [admins(), clerks()];
}
