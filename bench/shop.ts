import pino from 'pino';
import { createService } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import type { Steps } from '../src/context/index.ts';
import { type AccountServices, beginSession, insertUser, openSession } from '../src/domains/accounts/index.ts';
import { insertBusiness, insertMember, insertRole } from '../src/domains/businesses/index.ts';
import { newId } from '../src/shared/ids.ts';
import type { Shop } from './types.ts';

/** A service without HTTP, to write to the database as the service does. */
export async function createSystem(env: NodeJS.ProcessEnv) {
  const service = await createService({
    config: loadConfig(env),
    target: JSON.parse(env.SOUK_BENCH_TARGET!),
    log: pino({ level: 'warn' }),
    works: false,
  });
  return { service, system: service.contexts.system() as Steps<AccountServices> };
}

/** A business with an admin and a guest, and tokens for both. */
export async function createShop(env: NodeJS.ProcessEnv): Promise<Shop> {
  const { service, system } = await createSystem(env);
  const { now } = system;
  const [businessId, roleId, adminId, guestId] = [newId('biz'), newId('role'), newId('usr'), newId('usr')];
  const sessions = await system.transaction(async (ctx) => {
    const { db: tx } = ctx;
    const admin = { id: adminId, email: 'admin@example.com' };
    const guest = { id: guestId, email: null };
    await insertUser(tx, { ...admin, name: 'Admin', isConfirmed: true, isGuest: false, createdAt: now });
    await insertUser(tx, { ...guest, name: '', isConfirmed: false, isGuest: true, createdAt: now });
    await insertBusiness(tx, {
      id: businessId,
      name: 'Bench',
      slug: 'bench',
      configs: {},
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    await insertRole(tx, { businessId, id: roleId, name: 'ADMIN', permissions: ['ADMIN'], createdAt: now });
    await insertMember(tx, businessId, adminId, roleId);
    return {
      admin: await beginSession(ctx, { userId: adminId, provider: 'EMAIL', lifeSeconds: null }),
      guest: await beginSession(ctx, { userId: guestId, provider: 'GUEST', lifeSeconds: null }),
    };
  });
  const { accessToken: adminToken } = await openSession(system, sessions.admin);
  const { accessToken: guestToken } = await openSession(system, sessions.guest);
  await service.stop();
  return { businessId, adminId, adminToken, guestId, guestToken };
}
