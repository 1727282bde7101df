import pino from 'pino';
import { createService } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { inTransaction, type Pool } from '../src/db/connection.ts';
import { insertUser } from '../src/domains/accounts/index.ts';
import { insertBusiness, insertMember, insertRole } from '../src/domains/businesses/index.ts';
import { newId } from '../src/shared/ids.ts';
import type { Shop } from './types.ts';

/** A business with its admin and a guest, and tokens for both. */
export async function createShop(pool: Pool, env: NodeJS.ProcessEnv): Promise<Shop> {
  const service = await createService({
    config: loadConfig(env),
    target: JSON.parse(env.SOUK_BENCH_TARGET!),
    log: pino({ level: 'warn' }),
    works: false,
  });
  const now = service.deps.clock.seconds();
  const [businessId, roleId, adminId, guestId] = [newId('biz'), newId('role'), newId('usr'), newId('usr')];
  const shop = await inTransaction(pool, async (tx) => {
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
    const adminSession = await service.accounts.beginSession(tx, admin, 'EMAIL', null);
    const guestSession = await service.accounts.beginSession(tx, guest, 'GUEST', null);
    return { businessId, adminId, adminToken: adminSession.accessToken, guestId, guestToken: guestSession.accessToken };
  });
  await service.stop();
  return shop;
}
